import Glibc
import Homeport
import TestSupport
import Testing

/// The built `homeport serve`, and other calls that it carries out.
@Suite(.timeLimit(.minutes(1))) struct ServeTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func callsAreCarriedOutByTheServer() async throws {
        try await withServer { device, url, _ in
            // Nobody else could: the options name no broker.
            async let call = workplace.homeport("send", "lamp-1", "locate", "--json")
            let command = try #require(try await device.commands(1).first)
            try await device.carryOut(command)
            let run = try await call
            #expect(run.status == 0, "\(run)")
            #expect(run.lines.count == 1)
            #expect(run.output.contains("\"state\":\"succeeded\""))
            let history = try await workplace.homeport("history", "--broker", url)
            #expect(history.output.contains(command.id))
            let devices = try await workplace.homeport("devices")
            #expect(devices.output.contains("lamp-1"))
        }
    }

    @Test(arguments: [
        (["send", "nobody", "locate"], 65, "no device nobody"),
        (["send", "lamp-1", "locat"], 65, "did you mean locate?"),
        (["send", "lamp-1"], 64, "Missing expected argument"),
        (["schedule", "add", "--at", "25:00", "lamp-1", "locate"], 64, "write a time from 00:00"),
        (["schedule", "remove", "7"], 65, "no schedule 7"),
    ])
    func aWrongCallIsToldAsWithoutAServer(
        arguments: [String], status: Int32, message: String
    ) async throws {
        try await withServer { _, _, _ in
            let run = try await workplace.shell(
                "exec \"$homeport\" \(arguments.joined(separator: " "))")
            #expect(run.status == status)
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test func anotherLedgerOrHomeOrBrokerIsNotTheServers() async throws {
        try await withServer { _, _, server in
            // A server that is stopped answers nobody.
            kill(server.processID, SIGSTOP)
            defer { kill(server.processID, SIGCONT) }
            let other = "\(workplace.folder.path)/other.sqlite"
            for options in [
                ["--database", other], ["--home", "home-2"], ["--controller", "other"],
                ["--broker", "mqtt://127.0.0.1:1"], ["--verbose"],
            ] {
                let run = try await workplace.shell(
                    "exec \"$homeport\" history \(options.joined(separator: " "))")
                #expect(run.status == 0, "\(options): \(run)")
                #expect(!run.errors.contains("does not answer"), "\(options)")
            }
        }
    }

    @Test func aServerThatDoesNotAnswerIsDoneWithout() async throws {
        try await withServer { _, _, server in
            kill(server.processID, SIGSTOP)
            let run = try await workplace.homeport("history")
            let doctor = try await workplace.homeport("doctor")
            let logs = try await workplace.homeport("logs")
            kill(server.processID, SIGCONT)
            // It runs, so that starting another one is no remedy.
            #expect(logs.status == 1 && !logs.errors.contains("start 'homeport serve'"), "\(logs)")
            #expect(logs.errors.contains("'kill -9 \(server.processID)'"), "\(logs)")
            #expect(doctor.status == 1)
            #expect(doctor.output.contains("'kill -9 \(server.processID)'"), "\(doctor.output)")
            #expect(run.status == 0, "\(run)")
            #expect(run.errors.contains("serve (process \(server.processID)) does not answer"))
            let next = try await workplace.homeport("history")
            #expect(next.status == 0)
            #expect(!next.errors.contains("does not answer"), "\(next.errors)")
        }
    }

    @Test func aCallerThatIsInterruptedLeavesItsCommandToTheServer() async throws {
        try await withServer { device, _, _ in
            let status = try await workplace.runningForRemarks("send", "lamp-1", "locate") {
                program in
                let command = try #require(try await device.commands(1).first)
                program.interrupt()
                let remark = try await program.line(beginning: "homeport: interrupted: ")
                #expect(remark.hasPrefix("the wait has ended without an answer of lamp-1"))
                try await device.carryOut(command)
            }
            #expect(status == 3)
            // Behind the answer to a later command the server has that to the earlier one.
            async let later = workplace.homeport("send", "lamp-1", "locate")
            try await device.carryOut(try #require(try await device.commands(1).first))
            #expect(try await later.status == 0)
            let history = try await workplace.homeport("history")
            #expect(history.lines.filter { $0.contains("succeeded") }.count == 2, "\(history)")
        }
    }

    @Test func aServerThatIsKilledLeavesItsCallersWithoutAnAnswer() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.runningForRemarks(
                    "serve", "--broker", broker.url
                ) { server in
                    try await server.line(beginning: "ready")
                    async let call = workplace.homeport("send", "lamp-1", "locate")
                    _ = try await device.commands(1)
                    server.kill()
                    let run = try await call
                    #expect(run.status == 3)
                    #expect(
                        run.errors == "homeport: the server ended before this call did; 'homeport "
                            + "history' shows what became of the command\n")
                }
                #expect(status == -SIGKILL)
                let history = try await workplace.homeport("history")
                #expect(history.status == 0, "\(history)")
                #expect(history.output.contains("locate"))
            }
        }
    }

    @Test func aSecondServerCoexistsAndBothRemoveTheirSockets() async throws {
        try await withBroker { broker in
            let first = try await workplace.runningForRemarks("serve", "--broker", broker.url) {
                first in
                try await first.line(beginning: "ready")
                let second = try await workplace.runningForRemarks(
                    "serve", "--broker", broker.url
                ) { second in
                    try await second.line(beginning: "ready")
                    kill(second.processID, SIGTERM)
                }
                #expect(second == 0)
                let run = try await workplace.homeport("queue")
                #expect(run.status == 0, "\(run)")
                kill(first.processID, SIGTERM)
            }
            #expect(first == 0)
            let rest = try await workplace.shell("ls -A \"$XDG_RUNTIME_DIR/homeport/servers\"")
            #expect(rest.output == "")
        }
    }

    @Test func rubbishOnTheSocketHarmsNobody() async throws {
        try await withServer { _, _, server in
            let path = "\(workplace.folder.path)/homeport/servers/\(server.processID).sock"
            let script = """
                from os import urandom
                from socket import socket, AF_UNIX, SHUT_WR
                from sys import argv
                for text in [b"", b"\\n", b"{}\\n", b"[1]\\n", b"{\\"words\\":[1]}\\n",
                             b"{\\"words\\":[]}\\n", b"\\xff" * 300000, urandom(2000) + b"\\n"]:
                    caller = socket(AF_UNIX)
                    caller.connect(argv[1])
                    try:
                        caller.sendall(text)
                        caller.shutdown(SHUT_WR)
                        while caller.recv(4096): pass
                    except OSError: pass
                    caller.close()
                """
            let run = try await workplace.shell("/usr/bin/python3 -c '\(script)' \(path)")
            #expect(run.status == 0, "\(run)")
            let queue = try await workplace.homeport("queue")
            #expect(queue.status == 0, "\(queue)")
        }
    }

    @Test func aServerThatCannotUseItsLedgerSaysSo() async throws {
        let run = try await workplace.homeport(
            "serve", "--broker", "mqtt://127.0.0.1:1", "--database", "/proc/none/ledger")
        #expect(run.status == 70)
        #expect(run.errors.contains("/proc/none"), "\(run.errors)")
        #expect(!run.errors.contains("ready"))
    }

    @Test func whatAServerHasSaidIsPrinted() async throws {
        let none = try await workplace.homeport("logs", "--broker", "mqtt://127.0.0.1:1")
        #expect(none.status == 1 && none.errors.contains("start 'homeport serve'"), "\(none)")
        try await withServer { _, url, _ in
            let run = try await workplace.homeport("logs")
            #expect(run.status == 0 && run.lines.last?.hasSuffix(" ready") == true, "\(run)")
            #expect(run.output.contains(" serving home-1 on \(url): "), "\(run)")
            let json = try await workplace.homeport("logs", "--json")
            #expect(json.lines.last?.hasPrefix("{\"at\":1") == true, "\(json)")
            #expect(json.lines.last?.hasSuffix(",\"text\":\"ready\"}") == true, "\(json)")
            let status = try await workplace.running("logs", "--follow") { program in
                let line = try #require(try await program.line())
                #expect(line.contains(" serving home-1 on "))
                program.interrupt()
            }
            #expect(status == 0)
        }
    }

    @Test func aLinkIsPrintedWhereADashboardRuns() async throws {
        let none = try await workplace.homeport("dashboard", "--broker", "mqtt://127.0.0.1:1")
        #expect(none.status == 1 && none.errors.contains("no 'homeport serve'"), "\(none)")
        try await withServer { _, _, _ in
            let run = try await workplace.homeport("dashboard")
            #expect(run.status == 1 && run.errors.contains("has no dashboard"), "\(run)")
        }
        try await withServer(["--http", "127.0.0.1:0"]) { _, _, _ in
            let first = try await workplace.homeport("dashboard")
            let second = try await workplace.homeport("dashboard")
            #expect(first.status == 0 && first.output.hasPrefix("http://127.0.0.1:"), "\(first)")
            #expect(first.output != second.output && first.lines.count == 1)
            let json = try await workplace.homeport("dashboard", "--json")
            #expect(json.output.hasPrefix("{\"link\":\"http://127.0.0.1:"), "\(json)")
        }
    }

    // MARK: Steps

    /// Runs `body` beside a device and a server, which is ready.
    private func withServer(
        _ options: [String] = [],
        _ body: (FakeDevice, String, ChildProcess) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.runningForRemarks(
                    ["serve", "--broker", broker.url] + options
                ) { server in
                    try await server.line(beginning: "ready")
                    try await body(device, broker.url, server)
                    kill(server.processID, SIGTERM)
                }
                #expect(status == 0)
            }
        }
    }
}
