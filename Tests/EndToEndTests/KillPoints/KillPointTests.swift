import DeviceControl
import DeviceDomain
import DeviceMessages
import Glibc
import MQTTClient
import Persistence
import TestSupport
import Testing

/// A process is killed at each place at which something could be lost, and a later one goes on.
@Suite(.timeLimit(.minutes(2))) struct KillPointTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(arguments: ["5", "3.1.1"])
    func aControllerThatIsKilledLosesAndDoublesNothing(version: String) async throws {
        try await withBench(version) { bench in
            try await bench.kill("K11", acceptsNothing: true)
            for plan in ["K0", "K1"] { try await bench.kill(plan, acceptsNothing: true) }
            for plan in ["K2", "K2,K3", "K2,K4", "K6", "K7", "K8", "K2,K9"] {
                try await bench.kill(plan)
            }
            try await bench.killUnconfirmed("K5")
            let filler = try await fillLog()
            try await bench.kill("K10")
            filler.close()
            try await bench.verifyAudit()
            for line in bench.matrix { print("kill points: \(line)") }
        }
    }

    @Test(arguments: ["5", "3.1.1"])
    func aDeviceThatIsKilledLosesAndDoublesNothing(version: String) async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "trace") { peer in
                var bench = KillBench(workplace, broker, version, try await CommandTrace(peer))
                let journal = try TemporaryFolder()
                for plan in ["D0", "D0,D1", "D0,D2", "D0,D3", "D0,D4", "D0,D5"] {
                    try await bench.killDevice(plan, journal: journal.path)
                }
                try await bench.killDevice("D0,D1", in: .anAction, journal: journal.path)
                try await bench.verifyAudit()
                for line in bench.matrix { print("kill points: \(line)") }
            }
        }
    }

    private func withBench(_ version: String, _ body: (inout KillBench) async throws -> Void)
        async throws
    {
        try await withBroker { broker in
            let options = ["--broker", broker.url, "--sweepers", "1", "--mqtt-version", version]
            try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready")
                try await MQTTPeer.with(broker.url, id: "trace") { peer in
                    var bench = KillBench(workplace, broker, version, try await CommandTrace(peer))
                    try await body(&bench)
                }
            }
        }
    }

    /// Makes the log of the database so long that a process copies it when it ends.
    /// - Returns: what is to be closed when the log is no longer needed: closing the last connection, and
    ///   the end of a process, copy it.
    private func fillLog() async throws -> LedgerDatabase {
        let database = try LedgerDatabase.open(at: workplace.ledger)
        let ledger = GRDBCommandLedger(database) { Timestamp(milliseconds: 1_764_000_000_000) }
        let time = Timestamp(milliseconds: 1_764_000_000_000)
        let id = CommandID(at: time)
        let text = String(repeating: "filler ", count: 1_000)
        try await ledger.append(
            (0..<60).map { _ in LedgerEvent(.reach, of: id, at: time, cause: text) })
        return database
    }
}

/// What a device does when it is killed.
private enum DeadlyWork {
    case aSetting, anAction

    /// The exit status of `send` for what the next device process makes of it.
    var status: Int32 {
        switch self {
        case .aSetting: 0
        // It ends as INTERRUPTED.
        case .anAction: 1
        }
    }
}

extension KillBench {
    /// Kills the controller when the broker has its command, and neither the broker's confirmation nor a
    /// word of the device has come through to it.
    fileprivate mutating func killUnconfirmed(_ name: String) async throws {
        try await trace.catchUp()
        let plan = FaultPlan(
            .init(.drop, of: .puback, from: .broker, 1...100),
            .init(.drop, of: .publish, from: .broker, topic: "/ack/", 1...100))
        let command = nextCommand()
        try await withFaultProxy(to: broker.port, plan) { proxy in
            let arguments = command + ["--broker", proxy.url, "--mqtt-version", version]
            let status = try await workplace.running(arguments) { program in
                await trace.wait { if case .command = $0 { true } else { false } }
                program.kill()
            }
            #expect(status == -SIGKILL)
        }
        // The proxy was another broker by its address.
        let moved = try await workplace.homeport(["queue", "--moved"] + connection)
        #expect(moved.status == 0)
        try await recover(after: name)
    }

    /// Kills the device while it handles a command, and starts it again.
    fileprivate mutating func killDevice(
        _ plan: String, in work: DeadlyWork = .aSetting, journal: String
    ) async throws {
        let options = [
            "--broker", broker.url, "--sweepers", "1", "--mqtt-version", version, "--journal",
            journal,
        ]
        let command = work == .aSetting ? nextCommand() : ["send", "sweeper-1", "start-cleaning"]
        let arguments = command + connection + ["--wait", "final"]
        let name = "armed-\(plan)-\(work)"
        let setting =
            "HOMEPORT_KILL_POINT=\(plan) HOMEPORT_KILL_WHEN=\(workplace.folder.path)/\(name)"
        let workplace = workplace
        let dead = try await SimulatorProcess.run(options, through: setting) { simulator in
            try await simulator.line(beginning: "ready")
            try workplace.folder.append([1], to: name)
            async let sent = workplace.homeport(arguments)
            try await simulator.readToEnd()
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            async let next = SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready")
                for await _ in ends {}
            }
            let run = try await sent
            #expect(run.status == work.status, "\(plan): \(run.errors)")
            end.finish()
            _ = try await next
        }
        #expect(dead.status == -SIGKILL, "\(plan)")
        try await judge(work == .aSetting ? plan : "\(plan) in an action", resends: .max)
    }
}
