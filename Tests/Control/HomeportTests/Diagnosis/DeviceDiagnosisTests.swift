import Homeport
import HomeportTesting
import TestSupport
import Testing

@testable import Homeport

/// What a diagnosis finds about devices.
@Suite(.timeLimit(.minutes(1))) struct DeviceDiagnosisTests {
    private static let hour = 3_600_000

    @Test(arguments: [0, 3_000, -3_000])
    func aDeviceThatAnswersInTimeIsFine(offset: Int) async throws {
        try await withBroker("max_queued_messages 100000", "message_size_limit 65536") { broker in
            try await RawDevice.with(on: broker.url, offset: offset) { _ in
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.allSatisfy { $0.status == .ok }, "\(findings)")
                for check in [Finding.Check.devices, .clock, .deviceIDs, .retainedMessages] {
                    #expect(findings[check] == .ok, "\(check)")
                }
            }
        }
    }

    @Test(arguments: [-60_000, 7_000, Self.hour])
    func aClockThatIsWrongIsAProblem(offset: Int) async throws {
        try await withBroker { broker in
            try await RawDevice.with(on: broker.url, offset: offset) { _ in
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems == [.clock])
                let message = try #require(findings.wrong(.clock).first?.message)
                #expect(message.contains("lamp-1"))
                #expect(message.contains(offset > 0 ? "ahead" : "behind"))
            }
        }
    }

    @Test func theTimeOfAWillTellsNothing() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "will") { peer in
                try await peer.publish(
                    "homeport/v1/home-1/lamp-1/presence",
                    #"{"v":1,"device":"lamp-1","status":"offline","boot":"b1","at":9000000000000}"#,
                    retain: true)
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems.isEmpty)
            }
        }
    }

    @Test func twoDevicesThatAnswerOneQuestionAreAProblem() async throws {
        try await withBroker { broker in
            try await RawDevice.with(on: broker.url, boot: "b1") { _ in
                try await RawDevice.with(on: broker.url, boot: "b2", client: "-2") { _ in
                    let findings = try await Diagnosis.findings(at: broker.url)
                    #expect(findings.problems == [.deviceIDs])
                    #expect(
                        findings.wrong(.deviceIDs).first?.message.contains("lamp-1") == true)
                }
            }
        }
    }

    @Test func aDeviceThatTheLedgerKnowsAndNobodyHearsIsAWarning() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file(folder.path + "/ledger.sqlite")
        let channels = [ChannelID.mqtt, try ChannelID("attic")].map { ScriptedChannel(id: $0) }
        let house = try ScriptedHouse(channels[0], channels[1])
        try await house.withHome(ledger: ledger) { home in
            try house.announce("sweeper-s1", as: "sweeper-1", on: channels[0])
            try house.announce("sweeper-s1", as: "sweeper-2", on: channels[1])
            _ = try await home.devices()
            try await home.rememberDevices()
        }
        try await withBroker { broker in
            let findings = try await Diagnosis.findings(at: broker.url, ledger: ledger)
            #expect(findings.problems.isEmpty)
            #expect(findings[.devices] == .warning)
            let message = try #require(findings.messages(.devices).first)
            // The other one is a matter of another channel.
            #expect(message.hasSuffix("knows in home-1: sweeper-1"), "\(message)")
        }
    }

    @Test func whatADeviceDoesNotRetainIsNamed() async throws {
        try await withBroker { broker in
            try await RawDevice.with(on: broker.url) { device in
                try await device.publish("", to: "state", retain: true)
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems.isEmpty)
                #expect(findings.wrong(.devices).map(\.message) == ["no state is heard of lamp-1"])
            }
        }
    }

    /// mosquitto grants such a subscription, and then delivers nothing.
    @Test func aPartThatCannotBeReadOfAnyDeviceIsAMatterOfAccessControl() async throws {
        let folder = try TemporaryFolder()
        let list = try folder.file(
            "acl",
            """
            user device
            topic readwrite #
            user homeport
            topic readwrite homeport/v1/home-1/#
            topic deny homeport/v1/home-1/+/description
            """, mode: 0o644)
        let passwords = try folder.file("passwords", "device:x\nhomeport:x\n", mode: 0o644)
        try #require(await hashed(passwords) && chmodToReadable(folder.path))
        try await withBroker(
            "acl_file \(list)", "password_file \(passwords)", "allow_anonymous false"
        ) {
            broker in
            let own = try MQTTCredentials(username: "device", password: "x")
            try await MQTTPeer.with(broker.url, id: "devices", credentials: own) { peer in
                for id in ["lamp-1", "lamp-2"] {
                    for device in RawDevice.retained(id) {
                        try await peer.publish(device.topic, device.payload, retain: true)
                    }
                }
                let findings = try await Diagnosis.findings(
                    at: broker.url,
                    credentials: try MQTTCredentials(username: "homeport", password: "x"))
                #expect(findings.problems == [.accessControl], "\(findings)")
                let message = findings.wrong(.accessControl).first?.message
                #expect(message?.contains("no description is heard of lamp-1, lamp-2") == true)
            }
        }
    }

    /// Replaces the passwords of a file by what mosquitto stores of them.
    private func hashed(_ passwords: String) async -> Bool {
        let run = try? await Workplace().shell(
            "mosquitto_passwd -U \(passwords) && chmod 644 \(passwords)")
        return run?.status == 0
    }

    @Test func malformedPayloadsAreNamedWithTheirDevice() async throws {
        try await withBroker { broker in
            try await RawDevice.with(on: broker.url) { device in
                try await device.publish(
                    #"{"v":1,"device":"lamp-1","revision":"seven"}"#, to: "state", retain: true)
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems == [.devices])
                let message = try #require(findings.wrong(.devices).first?.message)
                #expect(message.contains("lamp-1") && message.contains("state"))
                // It was heard, so the broker does not keep it back.
                #expect(findings.wrong(.devices).count == 1, "\(findings)")
            }
        }
    }

    @Test func aNewerVersionOfTheProtocolNeedsANewerHomeport() async throws {
        try await withBroker { broker in
            try await RawDevice.with(on: broker.url) { device in
                try await device.publish(
                    #"{"v":2,"device":"lamp-1"}"#, to: "description", retain: true)
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems == [.devices])
                let wrong = findings.wrong(.devices)
                try #require(wrong.count == 1, "\(wrong)")
                #expect(wrong[0].message.contains("version 2"))
                #expect(wrong[0].remedy.contains("update homeport"))
                #expect(!wrong[0].remedy.contains("firmware"))
            }
        }
    }

    @Test func wherePresenceIsHeardOfNobodyAccessControlKeepsItBack() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for message in RawDevice.retained("lamp-1") + RawDevice.retained("lamp-2")
                where !message.topic.hasSuffix("presence") {
                    try await peer.publish(message.topic, message.payload, retain: true)
                }
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems == [.accessControl], "\(findings)")
                let message = try #require(findings.wrong(.accessControl).first?.message)
                #expect(message.contains("no presence is heard of lamp-1, lamp-2"))
            }
        }
    }

    @Test func whereEveryDeviceIsSilentAccessControlKeepsSomethingBack() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "mute") { peer in
                for message in RawDevice.retained("lamp-1") + RawDevice.retained("lamp-2") {
                    try await peer.publish(message.topic, message.payload, retain: true)
                }
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems == [.accessControl], "\(findings)")
                let remedy = try #require(findings.wrong(.accessControl).first?.remedy)
                #expect(remedy.contains("/ack/doctor-homeport"))
            }
        }
    }

    /// It was wrong when the device came online, and has been set since.
    @Test func aClockThatWasSetSinceIsFine() async throws {
        try await withBroker { broker in
            try await RawDevice.with(on: broker.url) { device in
                let future = Timestamp.wallClock.milliseconds + Self.hour
                try await device.publish(
                    #"{"v":1,"device":"lamp-1","status":"online","boot":"b1","at":\#(future)}"#,
                    to: "presence", retain: true)
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems.isEmpty, "\(findings)")
            }
        }
    }

    @Test func aSilentDeviceIsAWarning() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "mute") { peer in
                try await peer.publish(
                    "homeport/v1/home-1/lamp-1/presence",
                    #"{"v":1,"device":"lamp-1","status":"online","boot":"b1","at":1}"#,
                    retain: true)
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems.isEmpty)
                #expect(findings[.devices] == .warning)
                // Nobody answered, so nothing is said about a clock.
                #expect(findings[.clock] == .ok)
            }
        }
    }
}
