import Alink
import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import AlinkAdapter

@Suite final class AlinkModelTests {
    private var model = AlinkModel(home: home, products: Sample.products)

    private func hear(_ suffix: String, _ payload: String, of name: String = "lamp-1")
        throws -> HeardMessage
    {
        let topic = try #require(AlinkTopic("/sys/\(Sample.product)/\(name)/thing/\(suffix)"))
        return model.receive(topic, Array(payload.utf8))
    }

    private func hearStatus(_ payload: String) throws -> [DeviceObservation.Content] {
        let topic = try #require(AlinkTopic("/as/mqtt/status/\(Sample.product)/lamp-1"))
        return model.receive(topic, Array(payload.utf8)).updates.map(\.content)
    }

    @Test func aPostIsAnsweredAndBecomesStateAndTelemetry() throws {
        let heard = try hear(
            "event/property/post", #"{"id":"5","params":{"Power":1,"Level":"7.5","Heat":21.5}}"#)
        #expect(heard.answer == AlinkReply(id: "5"))
        let contents = heard.updates.map(\.content)
        guard case .description(let profile) = contents.first else {
            Issue.record("it was not described: \(contents)")
            return
        }
        #expect(profile.id == Sample.lamp.deviceID)
        #expect(profile.model.rawValue == Sample.product)
        #expect(profile.kind.rawValue == "alink-device")
        #expect(
            contents.dropFirst() == [
                .state(StateReport(["Power": true, "Level": 7.5, "Heat": 21.5])),
                .telemetry(TelemetryReport(["Heat": 21.5])),
            ])
    }

    @Test func whatIsOlderThanKnownChangesNothing() throws {
        let post = { (value: Int, time: Int) in
            #"{"id":"1","params":{"Power":{"value":\#(value),"time":\#(time)}}}"#
        }
        _ = try hear("event/property/post", post(1, 2000))
        let late = try hear("event/property/post", post(0, 1000))
        #expect(late.updates.isEmpty)
        #expect(late.values.isEmpty)
        #expect(late.answer != nil)
        #expect(try !hear("event/property/post", post(0, 2000)).updates.isEmpty)
    }

    @Test func aDeviceThatWasNotHeardSinceTheConnectionWasMadeIsNotThere() throws {
        let lamp = Sample.lamp.deviceID
        let away = DeviceUpdate(device: lamp, content: .presence(Presence(.offline)))
        _ = try hearStatus(#"{"status":"online"}"#)
        #expect(model.unheard.isEmpty && model.devices[lamp]?.mayBeThere == true)
        model.linkLost()
        #expect(model.unheard == [lamp] && model.devices[lamp]?.mayBeThere == false)
        #expect(model.presence(of: lamp) == nil, "it is not known to be offline")
        #expect(model.standIn(for: lamp) == away, "but commands to it wait")

        let heard = try hear("event/property/post", #"{"id":"5","params":{"Power":1}}"#)
        #expect(heard.isFirst, "on a broker without the plugin a post tells that it is there")
        #expect(model.standIn(for: lamp) == .unknownPresence(of: lamp))
        #expect(model.unheard.isEmpty && model.devices[lamp]?.mayBeThere == true)
        #expect(
            try !hear("event/property/post", #"{"id":"6","params":{"Power":1}}"#).isFirst)
    }

    @Test func aDeviceOfTheLedgerIsNotThereBeforeItIsHeard() throws {
        var other = AlinkModel(home: home, products: Sample.products)
        _ = try hearStatus(#"{"status":"online"}"#)
        let profile = try #require(model.devices[Sample.lamp.deviceID]?.profile)
        let isNamed = other.recall(profile)
        #expect(isNamed)
        #expect(other.devices[profile.id]?.mayBeThere == false)
    }

    @Test func theStatusIsThePresenceUnlessItIsOlder() throws {
        #expect(
            try hearStatus(#"{"status":"online","utcLastTime":"2026-01-01T00:00:02.000Z"}"#).last
                == .presence(Presence(.online)))
        #expect(
            try hearStatus(#"{"status":"offline","utcLastTime":"2026-01-01T00:00:01.000Z"}"#)
                .isEmpty)
        #expect(
            try hearStatus(#"{"status":"offline","utcLastTime":"2026-01-01T00:00:03.000Z"}"#)
                == [.presence(Presence(.offline))])
        #expect(try hearStatus("") == [.removed])
        #expect(model.devices.isEmpty)
    }

    @Test(
        arguments: ["", "{", "[]", #"{"params":{}}"#, #"{"id":"1","params":7}"#, "\u{0}\u{1}"])
    func garbageListsNoDevice(payload: String) throws {
        let heard = try hear("event/property/post", payload)
        #expect(heard.updates.isEmpty)
        #expect(model.devices.isEmpty)
        #expect(model.counters.malformedPayloads == 1)
    }

    @Test func valuesOfAnotherTypeAndUnknownPropertiesAreLeftOut() throws {
        _ = try hear("event/property/post", #"{"id":"1","params":{"Power":1}}"#)
        let heard = try hear(
            "event/property/post", #"{"id":"2","params":{"Power":"x","Ghost":1,"Heat":2}}"#)
        #expect(heard.values.map(\.identifier) == ["Heat"])
        let contents = heard.updates.map(\.content)
        #expect(contents.contains(.state(StateReport(["Power": true, "Heat": 2]))))
        #expect(
            contents.last == .problem(.state, "Power: not of the type in the thing model"))
    }

    @Test func anEventOfTheModelIsToldAndAnotherOneIsOnlyAnswered() throws {
        let heard = try hear(
            "event/overHeat/post", #"{"id":"3","params":{"value":{"Heat":90.0},"time":12}}"#)
        let name = try #require(EventName(rawValue: "over-heat"))
        #expect(
            heard.updates.last?.content
                == .event(
                    EventReport(name, detail: ["Heat": 90], at: Timestamp(milliseconds: 12))))
        let ghost = try hear("event/ghost/post", #"{"id":"4","params":{}}"#)
        #expect(ghost.updates.isEmpty)
        #expect(ghost.answer == AlinkReply(id: "4"))
        #expect(model.counters.unknownEvents == 1)
    }

    @Test func aDeviceOfAnUnknownProductIsListedWithAProblemAndWithoutCommands() throws {
        let topic = try #require(AlinkTopic("/sys/other/thing-1/thing/event/property/post"))
        let heard = model.receive(topic, Array(#"{"id":"1","params":{"x":1}}"#.utf8))
        #expect(heard.answer == AlinkReply(id: "1"))
        guard case .description(let profile) = heard.updates.first?.content,
            case .problem(.description, _) = heard.updates.last?.content
        else {
            Issue.record("it was not described with a problem: \(heard.updates)")
            return
        }
        #expect(profile.commands.isEmpty)
        #expect(profile.model.rawValue == "other")
    }

    @Test func whatAControllerSendsIsNotReadAsADevice() throws {
        for suffix in ["service/property/set", "service/clean", "event/property/post_reply"] {
            let heard = try hear(suffix, #"{"id":"1","params":{},"code":200}"#)
            #expect(heard.updates.isEmpty && heard.answer == nil)
        }
        #expect(model.devices.isEmpty)
    }

    @Test func noReplyIsSentToWhoWantsNone() throws {
        let heard = try hear(
            "event/property/post", #"{"id":"1","params":{"Power":1},"sys":{"ack":0}}"#)
        #expect(heard.answer == nil)
        #expect(!heard.updates.isEmpty)
    }

    @Test func otherQuestionsOfADeviceAreAnswered() throws {
        #expect(
            try hear("property/desired/get", #"{"id":"1","params":["Power"]}"#).answer
                == AlinkReply(id: "1"))
    }

    @Test func aDeviceIsTakenAsTheLedgerDescribesIt() throws {
        let product = try #require(Sample.products.values.first)
        let profile = product.profile(of: Sample.lamp, in: home)
        let isRecalled = model.recall(profile)
        #expect(isRecalled)
        #expect(model.devices[profile.id]?.name == Sample.lamp)
        let isRecalledAgain = model.recall(profile)
        #expect(!isRecalledAgain)
        let isStranger = model.recall(.undescribed(try DeviceID("stranger"), in: home))
        #expect(!isStranger)
    }
}
