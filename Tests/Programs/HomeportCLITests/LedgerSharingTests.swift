import Glibc
import Homeport
import TestSupport
import Testing

/// Several processes of one controller on one ledger.
@Suite(.timeLimit(.minutes(1))) struct LedgerSharingTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func twoProcessesSideBySideBothGetTheirAcks() async throws {
        try await withDevice { device, url in
            async let first = workplace.homeport(
                "send", "lamp-1", "locate", "--json", "--broker", url)
            async let second = workplace.homeport(
                "send", "lamp-1", "locate", "--json", "--broker", url)
            // Neither is answered before both have sent.
            let commands = try await device.commands(2)
            for command in commands.reversed() { try await device.carryOut(command) }
            let runs = try await [first, second]
            #expect(runs.map(\.status) == [0, 0])
            let printed = try runs.map { try SentCommand(try #require($0.lines.first)) }
            #expect(Set(printed.map(\.id)) == Set(commands.map(\.id)))
            #expect(Set(commands.compactMap(\.sequence)).count == 2)
            let history = try await history()
            #expect(Set(history.map(\.id)) == Set(commands.map(\.id)))
            #expect(history.map(\.state) == ["succeeded", "succeeded"])
        }
    }

    @Test func whatWasQueuedWhenAProcessWasKilledIsSentByTheNextOne() async throws {
        try await withDevice { device, url in
            try await device.presence("offline")
            let status = try await workplace.running(
                "send", "lamp-1", "sweep", "--expires", "10m", "--broker", url
            ) { program in
                while try await history().first?.state != "queued" {}
                program.kill()
            }
            #expect(status == -SIGKILL)
            let queued = try #require(try await history().first)
            #expect(queued.sends == 0)
            try await device.presence("online")
            async let next = workplace.homeport("send", "lamp-1", "locate", "--broker", url)
            let commands = try await device.commands(2)
            for command in commands { try await device.carryOut(command) }
            #expect(try await next.status == 0)
            #expect(Set(commands.map(\.name)) == ["sweep", "locate"])
            #expect(commands.first { $0.name == "sweep" }?.id == queued.id)
        }
    }

    @Test func whatMayHaveLeftWhenAProcessWasKilledIsAskedForByTheNextOne() async throws {
        try await withDevice { device, url in
            var sweep: FakeDevice.Command?
            let status = try await workplace.running(
                "send", "lamp-1", "sweep", "--broker", url
            ) { program in
                sweep = try await device.commands(1).first
                program.kill()
            }
            #expect(status == -SIGKILL)
            let id = try #require(sweep?.id)
            async let next = workplace.homeport("send", "lamp-1", "locate", "--broker", url)
            let commands = try await device.commands(2)
            // A blind resend would be among the two.
            #expect(Set(commands.map(\.name)) == ["query-commands", "locate"])
            for command in commands where command.name == "locate" {
                try await device.carryOut(command)
            }
            for command in commands where command.name == "query-commands" {
                #expect(command.arguments == #"{"ids":["\#(id)"]}"#)
                try await device.acknowledge(command, n: 1, "accepted", executions: 0)
                try await device.acknowledge(
                    command, n: 2, "succeeded",
                    result: #"{"commands":[{"id":"\#(id)","outcome":"forgotten"}]}"#)
            }
            #expect(try await next.status == 0)
        }
    }

    private func withDevice(_ body: (FakeDevice, String) async throws -> Void) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { try await body($0, broker.url) }
        }
    }

    private func history() async throws -> [SentCommand] {
        let run = try await workplace.homeport("history", "--json")
        #expect(run.status == 0)
        return try run.lines.map { try SentCommand($0) }
    }
}

/// A command as `send` and `history` print it.
private struct SentCommand {
    let id: String?
    let state: String?
    let sends: Int?

    init(_ line: String) throws {
        let members = try JSONReader.read(Array(line.utf8)).object
        id = members?["id"]?.string
        state = members?["state"]?.string
        sends = members?["sends"]?.integer
    }
}
