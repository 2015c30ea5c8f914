import DeviceDomain
import DeviceMessages
import MQTTClient
import MosquittoAdapter
import Testing

/// What a diagnosis concludes from messages of devices.
@Suite struct DeviceWatchTests {
    private let start = Timestamp(milliseconds: 1_764_000_000_000)

    private func presence(
        _ boot: String, _ status: String = "online", at offset: Int = 0, retain: Bool = false
    ) throws -> MQTTMessage {
        MQTTMessage(
            topic: try MQTTTopic("homeport/v1/home-1/lamp-1/presence"),
            payload: Array(
                """
                {"v":1,"device":"lamp-1","status":"\(status)","boot":"\(boot)",\
                "at":\(start.milliseconds + offset)}
                """.utf8), retain: retain)
    }

    private func evidence(of messages: [MQTTMessage]) throws -> DeviceEvidence {
        var watch = DeviceWatch()
        for message in messages { watch.take(message, at: start) }
        return try #require(watch.devices[DeviceID("lamp-1")])
    }

    @Test func aBootThatComesBackAfterAnotherShowsTwoOwners() throws {
        let evidence = try evidence(of: ["b1", "b2", "b1"].map { try presence($0) })
        #expect(evidence.hasTwoOwners)
    }

    @Test(arguments: [(64, false), (65, true), (1_000, true)])
    func namesOfTelemetryAreCounted(count: Int, isTooMuch: Bool) throws {
        let samples = try (1...count).map { number in
            MQTTMessage(
                topic: try MQTTTopic("homeport/v1/home-1/lamp-1/telemetry"),
                payload: Array(
                    #"{"v":1,"device":"lamp-1","boot":"b1","at":1,"n":\#(number),"values":{"x\#(number)":1}}"#
                        .utf8))
        }
        let evidence = try evidence(of: [presence("b1")] + samples)
        #expect(evidence.hasTooManyNames == isTooMuch)
        #expect(evidence.telemetryNames.count <= 65)
    }

    @Test func aRestartShowsNoSecondOwner() throws {
        let evidence = try evidence(of: ["b1", "b1", "b2", "b2"].map { try presence($0) })
        #expect(!evidence.hasTwoOwners)
        #expect(evidence.boots.map(\.text) == ["b1", "b2"])
    }

    @Test func aWillOfAnEarlierBootShowsNoSecondOwner() throws {
        let evidence = try evidence(of: [
            presence("b1"), presence("b2"), presence("b1", "offline"), presence("b2"),
        ])
        #expect(!evidence.hasTwoOwners)
        #expect(evidence.presence.isOnline)
    }

    @Test func aReplayedPresenceMayBeOldButNotOfTheFuture() throws {
        let old = try evidence(of: [presence("b1", at: -3_600_000, retain: true)])
        #expect(old.clockReadings.map(\.skew) == [.zero])
        let future = try evidence(of: [presence("b1", at: 60_000, retain: true)])
        #expect(future.clockReadings.map(\.skew) == [.seconds(60)])
    }

    @Test func aLivePresenceMustBeOfNow() throws {
        let evidence = try evidence(of: [presence("b1", at: -61_000)])
        #expect(evidence.clockReadings.map(\.skew) == [.seconds(-60)])
    }

    @Test(arguments: [
        (#"{"v":2,"device":"lamp-1"}"#, true), (#"{"v":1,"device":"#, false),
        (
            #"{"v":1,"device":"lamp-2","model":"lamp-9","kind":"lamp","capabilities":[],"#
                + #""commands":[]}"#, false
        ),
    ])
    func aDescriptionThatCannotBeUsedIsNotMissing(
        payload: String, isOfOtherVersion: Bool
    ) throws {
        let lamp = try DeviceID("lamp-1")
        var watch = DeviceWatch()
        watch.take(try presence("b1", retain: true), at: start)
        watch.subscribed(to: lamp)
        let topic = try MQTTTopic("homeport/v1/home-1/lamp-1/description")
        watch.take(
            MQTTMessage(topic: topic, payload: Array(payload.utf8), retain: true), at: start)
        let evidence = try #require(watch.devices[lamp])
        #expect(evidence.missingParts == [.state])
        #expect(evidence.violations.map(\.isOfOtherVersion) == [isOfOtherVersion])
    }

    @Test func theTimeOfAWillIsNoReading() throws {
        let evidence = try evidence(of: [presence("b1", "offline", at: 3_600_000, retain: true)])
        #expect(evidence.clockReadings.isEmpty)
    }
}
