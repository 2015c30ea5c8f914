import DeviceDomain
import DeviceMessages
import DeviceTopics
import TestSupport
import Testing

/// A controller that is killed while it sends one command to many devices, with the built programs.
@Suite(.timeLimit(.minutes(1))) struct GroupCrashTests {
    private static let devices = 40
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// At first when the group is in the ledger and nothing is printed, then with lines printed.
    @Test(arguments: [0, 1, 15])
    func everyCommandHasOneTrueOutcomeAndRunsOnce(lines: Int) async throws {
        try await withBroker { broker in
            let options = ["--broker", broker.url, "--sweepers", "\(Self.devices)"]
            try await SimulatorProcess.run(options) { fleet in
                try await fleet.line(beginning: "ready")
                try await Listener.with(broker.url, hearing: ["homeport/v1/+/+/ack/+"]) {
                    listener in
                    let status = try await killed(after: lines, on: broker.url)
                    // A busy machine may let the controller end before it is killed; all else holds then too.
                    #expect([-9, 0].contains(status))
                    let resolved = try await workplace.homeport("resolve", "--broker", broker.url)
                    #expect(resolved.status == 0, "\(resolved)")
                    let history = try await history()
                    #expect(history.count == Self.devices)
                    let states = Set(history.map(\.state))
                    #expect(states.isSubset(of: ["succeeded", "refused", "expired"]), "\(states)")
                    try await expectExecutions(of: history, heardBy: listener)
                }
            }
        }
        let audit = try await workplace.homeport("audit", "verify")
        #expect(audit.status == 0, "\(audit)")
    }

    // MARK: Steps

    /// Sends to all, and kills the controller after so many lines; where none is waited for, as soon as
    /// it has named the group.
    private func killed(after lines: Int, on url: String) async throws -> Int32 {
        let words = ["send", "--all", "locate", "--broker", url]
        if lines == 0 {
            return try await workplace.runningForRemarks(
                words[0], words[1], words[2], words[3], words[4], "--verbose"
            ) { controller in
                while let line = try await controller.line(), !line.contains(" commands, group ") {}
                controller.kill()
            }
        }
        return try await workplace.running(words[0], words[1], words[2], words[3], words[4]) {
            controller in
            for _ in 0..<lines { try await controller.line() }
            controller.kill()
        }
    }

    private func history() async throws -> [HistoryEntry] {
        let run = try await workplace.homeport("history", "--limit", "100", "--json")
        return try run.lines.map(HistoryEntry.init)
    }

    /// What succeeded ran once, by the devices' own acknowledgements, and nothing else did.
    private func expectExecutions(of history: [HistoryEntry], heardBy listener: Listener)
        async throws
    {
        let expected = Set(history.filter { $0.state == "succeeded" }.map(\.id))
        var executed: Set<CommandID> = []
        while executed != expected {
            let (id, count) = try await listener.hear { message -> (CommandID, Int)? in
                guard case .ack(let ack, _) = message.content, ack.stage == .succeeded,
                    history.contains(where: { $0.id == ack.id })
                else { return nil }
                return (ack.id, ack.executions)
            }
            #expect(count == 1)
            #expect(expected.contains(id), "\(id) ran, and the ledger does not say so")
            executed.insert(id)
        }
    }
}
