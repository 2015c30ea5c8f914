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
        try await withBroker("max_queued_messages 100000") { broker in
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

    @Test func malformedPayloadsAreNamedWithTheirDevice() async throws {
        try await withBroker { broker in
            try await RawDevice.with(on: broker.url) { device in
                try await device.publish(
                    #"{"v":1,"device":"lamp-1","revision":"seven"}"#, to: "state", retain: true)
                let findings = try await Diagnosis.findings(at: broker.url)
                #expect(findings.problems == [.devices])
                let message = try #require(findings.wrong(.devices).first?.message)
                #expect(message.contains("lamp-1") && message.contains("state"))
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
