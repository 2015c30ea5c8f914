import Foundation
import Homeport
import TestSupport
import Testing

/// The built `homeport send` and a device that knows nothing of it.
@Suite(.timeLimit(.minutes(1))) struct SendTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// What a command came to: the run of the program, and every command that the device got.
    private struct Encounter {
        let run: Workplace.Run
        let commands: [FakeDevice.Command]

        /// The JSON object on stdout.
        var object: [String: Any] {
            get throws {
                try #require(run.lines.count == 1, "\(run)")
                return try #require(
                    JSONSerialization.jsonObject(with: Data(run.lines[0].utf8)) as? [String: Any])
            }
        }

        var state: String? { get throws { try object["state"] as? String } }
    }

    /// Runs `homeport send lamp-1 …` beside a device that answers as the script says.
    private func send(
        _ arguments: String..., version: MQTTProtocolVersion = .v5,
        commands: String = FakeDevice.lampCommands,
        prepare: (FakeDevice) async throws -> Void = { _ in },
        answer: @escaping @Sendable (FakeDevice, FakeDevice.Command, Int) async throws -> Void
    ) async throws -> Encounter {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url, commands: commands, version: version) {
                device in
                try await prepare(device)
                let got = CommandLog()
                return try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await message in device.peer.messages {
                            let command = try #require(FakeDevice.Command(message))
                            let count = got.add(command)
                            try await answer(device, command, count)
                        }
                    }
                    let words =
                        ["send", "lamp-1"] + arguments + ["--json", "--broker", broker.url]
                    let run = try await workplace.shell(
                        "exec \"$homeport\" " + words.map { "'\($0)'" }.joined(separator: " "))
                    group.cancelAll()
                    return Encounter(run: run, commands: got.commands)
                }
            }
        }
    }

    private func history(_ arguments: String = "") async throws -> [[String: Any]] {
        let run = try await workplace.shell("exec \"$homeport\" history --json \(arguments)")
        #expect(run.status == 0)
        return try run.lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func aCommandIsTrackedToItsFinalAck(version: MQTTProtocolVersion) async throws {
        let encounter = try await send(
            "set-level", "--set", "percent=40", "--mqtt-version", version == .v5 ? "5" : "3.1.1",
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

    @Test func anActionIsWaitedForUntilItIsAccepted() async throws {
        let encounter = try await send("sweep") { device, command, _ in
            try await device.acknowledge(command, n: 1, "accepted", executions: 0)
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.state == "accepted")
    }

    @Test func aRejectionIsAStatusOfItsOwn() async throws {
        let encounter = try await send("locate") { device, command, _ in
            try await device.acknowledge(
                command, n: 1, "rejected", code: "WRONG_STATE", message: "not now", executions: 0)
        }
        #expect(encounter.run.status == 1)
        #expect(try encounter.state == "rejected")
        #expect(try encounter.object["code"] as? String == "WRONG_STATE")
        #expect(try encounter.object["message"] as? String == "not now")
    }

    @Test func aDeviceThatAnswersTheResendOnlyIsHeard() async throws {
        let encounter = try await send("locate") { device, command, count in
            if count == 2 { try await device.carryOut(command) }
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.object["sends"] as? Int == 2)
        #expect(encounter.commands.count == 2)
        #expect(encounter.commands.first?.payload == encounter.commands.last?.payload)
    }

    @Test func acksThatComeTwiceChangeNothing() async throws {
        let encounter = try await send("locate") { device, command, _ in
            for _ in 1...2 {
                try await device.acknowledge(command, n: 1, "accepted", executions: 0)
            }
            for _ in 1...2 { try await device.acknowledge(command, n: 2, "succeeded") }
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.state == "succeeded")
    }

    @Test func acksThatAreWrongAreIgnored() async throws {
        let encounter = try await send("locate") { device, command, _ in
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
        let encounter = try await send("locate", "--expires", "3s") { _, _, _ in }
        #expect(encounter.run.status == 3)
        #expect(try encounter.state == "unknown")
    }

    @Test(arguments: [
        (["set-level", "--set", "percent=140"], "percent must be at most 100, not 140"),
        (["set-level", "--set", "percent=bright"], "percent must be a whole number from 0 to 100"),
        (["set-level"], "percent is missing: give a whole number from 0 to 100"),
        (["set-level", "percnt=1"], "percnt is unknown; did you mean percent?"),
        (["set-level", "percent=[1,2"], "percent must be a whole number"),
        (["locat"], "did you mean locate?"),
        (["set-level", "--set", "percent=1", "--set", "speed=2"], "speed is unknown"),
        (["explode"], "explode"),
    ])
    func whatTheDescriptionForbidsIsNeitherRecordedNorSent(
        arguments: [String], reason: String
    ) async throws {
        let encounter = try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let words = (["send", "lamp-1"] + arguments).map { "'\($0)'" }
                let run = try await workplace.shell(
                    "exec \"$homeport\" \(words.joined(separator: " ")) --broker \(broker.url)")
                // What had been sent would come before this.
                try await device.peer.publish("homeport/v1/home-1/lamp-1/command", "end")
                var messages = device.peer.messages.makeAsyncIterator()
                #expect(await messages.next()?.payload == Array("end".utf8))
                return run
            }
        }
        #expect(encounter.status == 65)
        #expect(encounter.output.isEmpty)
        #expect(encounter.remarks.count == 1)
        #expect(encounter.errors.contains(reason))
        #expect(try await history().isEmpty)
    }

    @Test func anUnknownDeviceIsNotSentTo() async throws {
        let run = try await withBroker { broker in
            try await workplace.homeport("send", "mower-1", "locate", "--broker", broker.url)
        }
        #expect(run.status == 65)
        #expect(try await history().isEmpty)
    }

    @Test(arguments: [
        ("locate", Int32(1), "refused"), ("sweep", 4, "expired"), ("set-level", 4, "expired"),
    ])
    func anOfflineDeviceGetsWhatItsPolicySays(
        command: String, status: Int32, state: String
    ) async throws {
        let encounter = try await send(
            command, command == "set-level" ? "--set=percent=1" : "--mqtt-version=5",
            "--expires", "500ms",
            prepare: { try await $0.presence("offline") }, answer: { _, _, _ in })
        #expect(encounter.run.status == status)
        #expect(try encounter.state == state)
        #expect(encounter.commands.isEmpty)
    }

    @Test func aCommandThatNeedsARevisionGetsThePresentOne() async throws {
        let encounter = try await send("set-islanding", "--set", "enabled=true") {
            device, command, _ in try await device.carryOut(command)
        }
        #expect(encounter.run.status == 0)
        #expect(try encounter.object["dryRun"] == nil)
        #expect(encounter.commands.first?.ifRevision == 7)
    }

    @Test func aDryRunSaysSo() async throws {
        let encounter = try await send("locate", "--dry-run") { device, command, _ in
            try await device.acknowledge(command, n: 1, "succeeded", executions: 0)
        }
        #expect(encounter.run.status == 0)
        #expect(encounter.commands.first?.isDryRun == true)
        #expect(try encounter.object["dryRun"] as? Bool == true)
        #expect(try await self.history("--limit 1").first?["dryRun"] as? Bool == true)
        let history = try await workplace.homeport("history")
        #expect(history.output.contains("locate (dry run)"))
    }

    @Test func observedMeansThatTheStateShowsIt() async throws {
        let shown = try await send(
            "set-level", "--set", "percent=1", "--wait", "observed"
        ) { device, command, _ in
            try await device.carryOut(command, revision: 8)
            try await device.state(revision: 8)
        }
        #expect(shown.run.status == 0)
        let hidden = try await send(
            "set-level", "--set", "percent=1", "--wait", "observed", "--wait-timeout", "3s"
        ) { device, command, _ in try await device.carryOut(command, revision: 9) }
        #expect(hidden.run.status == 3)
        #expect(try hidden.state == "succeeded")
    }

    @Test func theWaitEndsButNotTheCommand() async throws {
        let encounter = try await send(
            "sweep", "--wait", "final", "--wait-timeout", "3s"
        ) { device, command, _ in
            try await device.acknowledge(command, n: 1, "accepted", executions: 0)
            try await device.acknowledge(command, n: 2, "progress", percent: 30)
        }
        #expect(encounter.run.status == 3)
        #expect(try encounter.state == "running")
        #expect(try await history().first?["state"] as? String == "running")
    }

    @Test func theEndOfAWaitSaysWhoGoesOnAndUntilWhen() async throws {
        let accepted = try await send("sweep", "--wait", "final", "--wait-timeout", "1s") {
            device, command, _ in
            try await device.acknowledge(command, n: 1, "accepted", executions: 0)
        }
        #expect(accepted.run.remarks.count == 1)
        #expect(accepted.run.errors.contains("has ended; lamp-1 goes on with the command"))
        let silent = try await send("sweep", "--wait-timeout", "200ms") { _, _, _ in }
        #expect(silent.run.status == 3)
        #expect(silent.run.errors.contains("without an answer of lamp-1; it may still start"))
        let queued = try await send(
            "sweep", "--wait-timeout", "200ms", prepare: { try await $0.presence("offline") },
            answer: { _, _, _ in })
        #expect(queued.run.status == 3)
        #expect(try queued.state == "queued")
        #expect(queued.run.errors.contains("still queued (lamp-1 is offline): the next homeport"))
        let expiry = queued.run.errors.matches(of: /until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
        #expect(expiry.count == 1)
    }

    @Test func bareCommandNamesAreSentUnchecked() async throws {
        let encounter = try await send(
            "blink", "--set", "times=3", "--wait", "final", commands: #"["blink"]"#
        ) { device, command, _ in try await device.carryOut(command) }
        #expect(encounter.run.status == 0)
        #expect(encounter.commands.first?.arguments == #"{"times":3}"#)
    }

    @Test func argumentsAreGivenWithAndWithoutSet() async throws {
        let encounter = try await send(
            "mix", "level=high", "--set", "times=3", "rooms=[1,2]", "note=a=b",
            "--wait", "final", commands: #"["mix"]"#
        ) { device, command, _ in try await device.carryOut(command) }
        #expect(encounter.run.status == 0)
        #expect(
            encounter.commands.first?.arguments
                == #"{"level":"high","note":"a=b","rooms":[1,2],"times":3}"#)
    }

    @Test(arguments: ["percent=1 percent=2", "percent=1 --set percent=1"])
    func anArgumentThatIsGivenTwiceIsNotSent(arguments: String) async throws {
        let run = try await workplace.shell(
            "exec \"$homeport\" send lamp-1 set-level \(arguments)")
        #expect(run.status == 64)
        #expect(run.errors.contains("percent is given twice"))
        #expect(try await history().isEmpty)
    }

    /// The device answers after the command's time: `send` and `history` agree on what it said.
    @Test func anAnswerAfterTheExpiryIsWaitedFor() async throws {
        let encounter = try await send("locate", "--expires", "100ms") { device, command, _ in
            while try await history().first?["state"] as? String != "unknown" {
                try Task.checkCancellation()
            }
            try await device.acknowledge(
                command, n: 1, "expired", code: "EXPIRED", message: "too late", executions: 0)
        }
        #expect(encounter.run.status == 4)
        #expect(try encounter.state == "expired")
        let recorded = try #require(try await history("--limit 1").first)
        #expect(recorded["state"] as? String == "expired")
        #expect(recorded["message"] as? String == "too late")
    }

    @Test func anUrgentCommandTakesItsOwnLane() async throws {
        let encounter = try await send("stop") { device, command, _ in
            try await device.carryOut(command)
        }
        #expect(encounter.run.status == 0)
        #expect(encounter.commands.first?.isUrgent == true)
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

    @Test func withoutAConnectionACommandThatMayWaitIsQueuedForTheNextProcess() async throws {
        _ = try await send("locate") { device, command, _ in try await device.carryOut(command) }
        let away = "mqtt://127.0.0.1:\(try freePort())"
        let fast = try await workplace.homeport(
            "send", "lamp-1", "locate", "--broker", away, "--connect-timeout", "50ms")
        #expect(fast.status == 5)
        #expect(try await history().count == 1)
        let queued = try await workplace.homeport(
            "send", "lamp-1", "sweep", "--broker", away, "--connect-timeout", "50ms")
        #expect(queued.status == 5)
        #expect(queued.remarks.count == 1)
        #expect(try await history("--limit 1").first?["state"] as? String == "queued")
        let unknown = try await workplace.homeport(
            "send", "lamp-1", "explode", "--broker", away, "--connect-timeout", "50ms")
        #expect(unknown.status == 5)
        let next = try await send("locate") { device, command, _ in
            if command.name == "sweep" {
                try await device.acknowledge(command, n: 1, "accepted", executions: 0)
            } else {
                try await device.carryOut(command)
            }
        }
        #expect(next.run.status == 0)
        #expect(next.commands.map(\.name).sorted() == ["locate", "sweep"])
        let states = try await history("--device lamp-1").map { $0["state"] as? String }
        #expect(states == ["succeeded", "accepted", "succeeded"])
    }

    @Test func aLedgerThatCannotBeWrittenSendsNothing() async throws {
        let encounter = try await send(
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
