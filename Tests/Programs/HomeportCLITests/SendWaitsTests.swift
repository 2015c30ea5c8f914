import Homeport
import TestSupport
import Testing

/// How far `homeport send` waits, and what goes on without it.
@Suite(.timeLimit(.minutes(1))) struct SendWaitsTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func anActionIsWaitedForUntilItIsAccepted() async throws {
        let encounter = try await workplace.send("sweep") { device, command, _ in
            try await device.acknowledge(command, n: 1, "accepted", executions: 0)
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.state == "accepted")
    }

    @Test func observedMeansThatTheStateShowsIt() async throws {
        let shown = try await workplace.send(
            "set-level", "--set", "percent=1", "--wait", "observed"
        ) { device, command, _ in
            try await device.carryOut(command, revision: 8)
            try await device.state(revision: 8)
        }
        #expect(shown.run.status == 0)
        let hidden = try await workplace.send(
            "set-level", "--set", "percent=1", "--wait", "observed", "--wait-timeout", "3s"
        ) { device, command, _ in try await device.carryOut(command, revision: 9) }
        #expect(hidden.run.status == 3)
        #expect(try hidden.state == "succeeded")
    }

    @Test func theWaitEndsButNotTheCommand() async throws {
        let encounter = try await workplace.send(
            "sweep", "--wait", "final", "--wait-timeout", "3s"
        ) { device, command, _ in
            try await device.acknowledge(command, n: 1, "accepted", executions: 0)
            try await device.acknowledge(command, n: 2, "progress", percent: 30)
        }
        #expect(encounter.run.status == 3)
        #expect(try encounter.state == "running")
        #expect(try await workplace.history().first?["state"] as? String == "running")
    }

    @Test func theEndOfAWaitSaysWhoGoesOnAndUntilWhen() async throws {
        let accepted = try await workplace.send("sweep", "--wait", "final", "--wait-timeout", "1s")
        {
            device, command, _ in
            try await device.acknowledge(command, n: 1, "accepted", executions: 0)
        }
        #expect(accepted.run.remarks.count == 1)
        #expect(accepted.run.errors.contains("has ended; lamp-1 goes on with the command"))
        let silent = try await workplace.send("sweep", "--wait-timeout", "200ms") { _, _, _ in }
        #expect(silent.run.status == 3)
        #expect(silent.run.errors.contains("without an answer of lamp-1; it may still start"))
        let queued = try await workplace.send(
            "sweep", "--wait-timeout", "200ms", prepare: { try await $0.presence("offline") },
            answer: { _, _, _ in })
        #expect(queued.run.status == 3)
        #expect(try queued.state == "queued")
        #expect(queued.run.errors.contains("still queued (lamp-1 is offline): the next homeport"))
        let expiry = queued.run.errors.matches(of: /until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
        #expect(expiry.count == 1)
    }

    /// The device answers after the command's time: `send` and `history` agree on what it said.
    @Test(arguments: MQTTProtocolVersion.allCases)
    func anAnswerAfterTheExpiryIsWaitedFor(version: MQTTProtocolVersion) async throws {
        let encounter = try await workplace.send(
            "locate", "--expires", "100ms", "--mqtt-version", version.rawValue, version: version
        ) {
            device, command, _ in
            try await workplace.awaitUnknownOutcome(of: command)
            try await device.acknowledge(
                command, n: 1, "expired", code: "EXPIRED", message: "too late", executions: 0)
        }
        #expect(encounter.run.status == 4)
        #expect(try encounter.state == "expired")
        let recorded = try #require(try await workplace.history("--limit 1").first)
        #expect(recorded["state"] as? String == "expired")
        #expect(recorded["message"] as? String == "too late")
    }

    @Test func anInterruptEndsTheWaitAndTheNextProcessAsks() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let log = CommandLog()
                let status = try await workplace.running(
                    "send", "lamp-1", "sweep", "--wait", "final", "--broker", broker.url
                ) { program in
                    for await message in device.peer.messages {
                        let command = try #require(FakeDevice.Command(message))
                        log.add(command)
                        try await device.acknowledge(command, n: 1, "accepted", executions: 0)
                        break
                    }
                    program.interrupt()
                }
                #expect(status == 3)
                let watching = try await workplace.running("watch", "--broker", broker.url) {
                    program in
                    for await message in device.peer.messages {
                        let command = try #require(FakeDevice.Command(message))
                        #expect(command.name == "query-commands")
                        #expect(command.arguments.contains(log.commands.first?.id ?? "none"))
                        break
                    }
                    program.interrupt()
                }
                #expect(watching == 0)
            }
        }
    }

    @Test func withoutAConnectionACommandThatMayWaitIsQueuedForThatBroker() async throws {
        _ = try await workplace.send("locate") { device, command, _ in
            try await device.carryOut(command)
        }
        let away = "mqtt://127.0.0.1:\(try freePort())"
        let fast = try await workplace.homeport(
            "send", "lamp-1", "locate", "--broker", away, "--connect-timeout", "50ms")
        #expect(fast.status == 5)
        #expect(try await workplace.history().count == 1)
        let queued = try await workplace.homeport(
            "send", "lamp-1", "sweep", "--broker", away, "--connect-timeout", "50ms")
        #expect(queued.status == 5)
        #expect(queued.remarks.count == 1)
        #expect(try await workplace.history("--limit 1").first?["state"] as? String == "queued")
        let object = try await workplace.homeport(
            "send", "lamp-1", "sweep", "--json", "--broker", away, "--connect-timeout", "50ms")
        #expect(object.status == 5 && object.lines.count == 1, "\(object)")
        #expect(object.output.contains(#""state":"queued""#))
        let unknown = try await workplace.homeport(
            "send", "lamp-1", "explode", "--broker", away, "--connect-timeout", "50ms")
        #expect(unknown.status == 5)
        let elsewhere = try await workplace.send("locate") { device, command, _ in
            try await device.carryOut(command)
        }
        #expect(elsewhere.run.status == 0)
        #expect(elsewhere.commands.map(\.name) == ["locate"])
        let states = try await workplace.history("--device lamp-1").map { $0["state"] as? String }
        #expect(states == ["succeeded", "queued", "queued", "succeeded"])
        let moved = try await workplace.homeport("queue", "--moved", "--broker", away)
        #expect(moved.status == 0)
        #expect(moved.errors.contains("nothing is open for another broker"))
    }
}
