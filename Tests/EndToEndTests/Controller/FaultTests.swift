import DeviceDomain
import DeviceMessages
import DeviceTopics
import TestSupport
import Testing

/// The built `homeport` behind a proxy that loses, doubles, reorders and cuts, and an oracle that
/// compares its ledger with what the devices did.
@Suite(.timeLimit(.minutes(2))) struct FaultTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private static let versions = ["5", "3.1.1"]
    private static let ack = "/ack/"

    @Test(arguments: versions)
    func aLostPUBACKChangesNothing(version: String) async throws {
        let plan = FaultPlan(.init(.drop, of: .puback, from: .broker, 1...1))
        try await expect("succeeded", status: 0, executions: 1, after: plan, version)
    }

    @Test(arguments: versions)
    func doubledCommandsAndAcksCountOnce(version: String) async throws {
        let plan = FaultPlan(
            .init(.duplicate, of: .publish, from: .client, topic: "/command", 1...2),
            .init(.duplicate, of: .publish, from: .broker, topic: Self.ack, 1...4))
        try await expect("succeeded", status: 0, executions: 1, after: plan, version)
    }

    @Test(arguments: versions)
    func acksInTheWrongOrderEndTheCommandOnce(version: String) async throws {
        let plan = FaultPlan(
            .init(.holdBack, of: .publish, from: .broker, topic: Self.ack, 1...1))
        try await expect("succeeded", status: 0, executions: 1, after: plan, version)
    }

    @Test(arguments: versions)
    func aCommandThatLeftBeforeTheConnectionEndedIsAskedFor(version: String) async throws {
        let plan = FaultPlan(
            .init(.cutAfter, of: .publish, from: .client, topic: "/command", 1...1))
        try await expect("succeeded", status: 0, executions: 1, after: plan, version)
    }

    @Test(arguments: versions)
    func aCommandThatWasLostWithTheConnectionIsSentAgain(version: String) async throws {
        let plan = FaultPlan(
            .init(.cutBefore, of: .publish, from: .client, topic: "/command", 1...1))
        try await expect("succeeded", status: 0, executions: 1, after: plan, version)
    }

    @Test(arguments: versions)
    func aConnectionThatEndsBehindTheFirstAckLosesNothing(version: String) async throws {
        let plan = FaultPlan(
            .init(.cutAfter, of: .publish, from: .broker, topic: Self.ack, 1...1))
        try await expect("succeeded", status: 0, executions: 1, after: plan, version)
    }

    @Test(arguments: versions)
    func lostAcksLeaveItUnknownUntilTheDeviceIsAsked(version: String) async throws {
        let plan = FaultPlan(.init(.drop, of: .publish, from: .broker, topic: Self.ack, 1...2))
        try await withFleet(version) { broker, listener in
            try await withFaultProxy(to: broker.port, plan) { proxy in
                let sent = try await locate(proxy.url, version, "--expires", "500ms")
                #expect(sent.status == 3, "\(sent)")
                let resolved = try await homeport("resolve", proxy.url, version)
                #expect(resolved.status == 0, "\(resolved)")
            }
            #expect(try await history().map(\.state) == ["succeeded"])
            try await expectExecutions(1, listener)
        }
    }

    @Test(arguments: zip(versions, [1, 2] as [UInt64]))
    func underFaultsAtRandomTheLedgerTellsTheTruth(version: String, seed: UInt64) async throws {
        let plan = FaultPlan(seed: seed, limit: 10)
        try await withFleet(version) { broker, listener in
            try await withFaultProxy(to: broker.port, plan) { proxy in
                for _ in 0..<12 {
                    let sent = try await locate(proxy.url, version)
                    #expect([0, 1, 3].contains(sent.status), "\(sent)")
                }
                let resolved = try await homeport("resolve", proxy.url, version)
                #expect(resolved.status == 0, "\(resolved)")
            }
            #expect(plan.faults > 5)
            let history = try await history()
            #expect(history.count == 12)
            #expect(Set(history.map(\.state)).isSubset(of: ["succeeded", "refused"]), "\(history)")
            try await expectExecutions(history.filter { $0.state == "succeeded" }.count, listener)
        }
    }

    // MARK: Steps

    /// Sends one command through the proxy, and compares ledger and device.
    private func expect(
        _ state: String, status: Int32, executions: Int, after plan: FaultPlan, _ version: String
    ) async throws {
        try await withFleet(version) { broker, listener in
            let run = try await withFaultProxy(to: broker.port, plan) { proxy in
                try await locate(proxy.url, version)
            }
            #expect(plan.faults > 0)
            #expect(run.status == status, "\(run)")
            #expect(try await history().map(\.state) == [state])
            try await expectExecutions(executions, listener)
        }
    }

    private func withFleet(
        _ version: String, _ body: (MosquittoBroker, Listener) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            let options = ["--broker", broker.url, "--sweepers", "1", "--mqtt-version", version]
            try await SimulatorProcess.run(options) { fleet in
                try await fleet.line(beginning: "ready")
                try await Listener.with(broker.url, hearing: ["homeport/v1/+/+/ack/+"]) {
                    try await body(broker, $0)
                }
            }
        }
        let audit = try await workplace.homeport("audit", "verify")
        #expect(audit.status == 0, "\(audit)")
    }

    private func locate(
        _ url: String, _ version: String, _ options: String...
    ) async throws -> Workplace.Run {
        try await workplace.shell(
            "exec \"$homeport\" send sweeper-1 locate --broker \(url) --mqtt-version \(version) "
                + options.joined(separator: " "))
    }

    private func homeport(
        _ verb: String, _ url: String, _ version: String
    ) async throws -> Workplace.Run {
        try await workplace.homeport(verb, "--broker", url, "--mqtt-version", version)
    }

    private func history() async throws -> [HistoryEntry] {
        let run = try await workplace.homeport("history", "--limit", "100", "--json")
        return try run.lines.map(HistoryEntry.init)
    }

    /// Another controller asks the device for something behind all that went before, so that every
    /// acknowledgement of it was heard when the answer comes.
    private func expectExecutions(_ count: Int, _ listener: Listener) async throws {
        let last = try TestCommand("identify")
        try await listener.send(last.payload, to: "sweeper-1")
        var executed: Set<CommandID> = []
        _ = try await listener.hear { message -> Bool? in
            guard case .ack(let ack, _) = message.content, ack.stage == .succeeded else {
                return nil
            }
            guard ack.id != last.id else { return true }
            if ack.executions == 1, ack.result["commands"] == nil { executed.insert(ack.id) }
            return nil
        }
        #expect(executed.count == count)
    }
}
