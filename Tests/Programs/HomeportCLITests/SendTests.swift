import Homeport
import TestSupport
import Testing

/// What the built `homeport send` makes of the answers of a device.
@Suite(.timeLimit(.minutes(1))) struct SendTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func aCommandIsTrackedToItsFinalAck(version: MQTTProtocolVersion) async throws {
        let encounter = try await workplace.send(
            "set-level", "--set", "percent=40", "--mqtt-version", version.rawValue,
            version: version
        ) { device, command, _ in
            try await device.acknowledge(command, n: 1, "accepted", executions: 0)
            try await device.acknowledge(
                command, n: 2, "succeeded", revision: 8, result: #"{"previous":10}"#)
        }
        #expect(encounter.run.status == 0)
        #expect(encounter.commands.map(\.name) == ["set-level"])
        #expect(encounter.commands.first?.arguments == #"{"percent":40}"#)
        let object = try encounter.object
        #expect(object["id"] as? String == encounter.commands.first?.id)
        #expect(object["home"] as? String == "home-1")
        #expect(object["device"] as? String == "lamp-1")
        #expect(object["name"] as? String == "set-level")
        #expect(object["state"] as? String == "succeeded")
        #expect(object["code"] as? String == "OK")
        #expect((object["result"] as? [String: Int]) == ["previous": 10])
        #expect(object["sends"] as? Int == 1)
        let timings = try #require(object["timings"] as? [String: Any])
        for name in ["createdAt", "sentAt", "acceptedAt", "finalAt"] {
            #expect(timings[name] is Int, "\(name)")
        }
    }

    @Test func aRejectionIsAStatusOfItsOwn() async throws {
        let encounter = try await workplace.send("locate") { device, command, _ in
            try await device.acknowledge(
                command, n: 1, "rejected", code: "WRONG_STATE", message: "not now", executions: 0)
        }
        #expect(encounter.run.status == 1)
        #expect(try encounter.state == "rejected")
        #expect(try encounter.object["code"] as? String == "WRONG_STATE")
        #expect(try encounter.object["message"] as? String == "not now")
    }

    @Test func aDeviceThatAnswersTheResendOnlyIsHeard() async throws {
        let encounter = try await workplace.send("locate") { device, command, count in
            if count == 2 { try await device.carryOut(command) }
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.object["sends"] as? Int == 2)
        #expect(encounter.commands.count == 2)
        #expect(encounter.commands.first?.payload == encounter.commands.last?.payload)
    }

    @Test func acksThatComeTwiceChangeNothing() async throws {
        let encounter = try await workplace.send("locate") { device, command, _ in
            for _ in 1...2 {
                try await device.acknowledge(command, n: 1, "accepted", executions: 0)
            }
            for _ in 1...2 { try await device.acknowledge(command, n: 2, "succeeded") }
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.state == "succeeded")
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func acksThatAreWrongAreIgnored(version: MQTTProtocolVersion) async throws {
        let encounter = try await workplace.send(
            "locate", "--mqtt-version", version.rawValue, version: version
        ) { device, command, _ in
            try await device.peer.publish(
                "homeport/v1/home-1/lamp-1/ack/\(command.controller)", "{\"v\":1,")
            try await device.acknowledge(command, n: 1, "failed", device: "lamp-2")
            try await device.acknowledge(
                command, n: 1, "failed", id: "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11")
            try await device.acknowledge(
                command, n: 1, "rejected", code: "ID_REUSED", executions: 0)
            try await device.carryOut(command)
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.state == "succeeded")
    }

    @Test func aDeviceThatNeverAnswersLeavesTheOutcomeUnknown() async throws {
        let encounter = try await workplace.send("locate", "--expires", "3s") { _, _, _ in }
        #expect(encounter.run.status == 3)
        #expect(try encounter.state == "unknown")
    }

    @Test(arguments: [
        ("locate", Int32(1), "refused"), ("sweep", 4, "expired"), ("set-level", 4, "expired"),
    ])
    func anOfflineDeviceGetsWhatItsPolicySays(
        command: String, status: Int32, state: String
    ) async throws {
        let encounter = try await workplace.send(
            command, command == "set-level" ? "--set=percent=1" : "--mqtt-version=5",
            "--expires", "500ms",
            prepare: { try await $0.presence("offline") }, answer: { _, _, _ in })
        #expect(encounter.run.status == status)
        #expect(try encounter.state == state)
        #expect(encounter.commands.isEmpty)
    }

    @Test func aCommandThatNeedsARevisionGetsThePresentOne() async throws {
        let encounter = try await workplace.send("set-islanding", "--set", "enabled=true") {
            device, command, _ in try await device.carryOut(command)
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.object["dryRun"] == nil)
        #expect(encounter.commands.first?.ifRevision == 7)
    }

    @Test func aDryRunSaysSo() async throws {
        let encounter = try await workplace.send("locate", "--dry-run") { device, command, _ in
            try await device.acknowledge(command, n: 1, "succeeded", executions: 0)
        }
        #expect(encounter.run.status == 0)
        #expect(encounter.commands.first?.isDryRun == true)
        #expect(try encounter.object["dryRun"] as? Bool == true)
        #expect(try await workplace.history("--limit 1").first?["dryRun"] as? Bool == true)
        let history = try await workplace.homeport("history")
        #expect(history.output.contains("locate (dry run)"))
    }

    @Test func anUrgentCommandTakesItsOwnLane() async throws {
        let encounter = try await workplace.send("stop") { device, command, _ in
            try await device.carryOut(command)
        }
        #expect(encounter.run.status == 0)
        #expect(encounter.commands.first?.isUrgent == true)
    }

    @Test func aLedgerThatCannotBeWrittenSendsNothing() async throws {
        let encounter = try await workplace.send(
            "locate", "--database", "/dev/null/ledger.sqlite"
        ) { device, command, _ in try await device.carryOut(command) }
        #expect(encounter.run.status == 70)
        #expect(encounter.run.remarks.count == 1)
        #expect(encounter.commands.isEmpty)
    }

    @Test func theSentenceForPeopleSaysStateReasonAndID() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                async let served: Void = device.serve { command in
                    try await device.acknowledge(
                        command, n: 1, "rejected", code: "BUSY", message: "wait", executions: 0)
                    return true
                }
                let run = try await workplace.homeport(
                    "send", "lamp-1", "locate", "--broker", broker.url)
                try await served
                #expect(run.status == 1)
                #expect(run.errors.isEmpty)
                #expect(run.lines.count == 1)
                #expect(run.output.hasPrefix("lamp-1 locate: rejected in "))
                #expect(run.output.contains("(BUSY: wait)"))
            }
        }
    }
}
