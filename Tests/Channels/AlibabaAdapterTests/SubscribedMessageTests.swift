import Alink
import DeviceDomain
import Testing

@testable import AlibabaAdapter

@Suite struct SubscribedMessageTests {
    private static let generated = Timestamp(milliseconds: 5000)

    private func read(_ topic: String, _ body: String) -> SubscribedMessage? {
        SubscribedMessage(topic: topic, body: Array(body.utf8), generated: Self.generated)
    }

    private func robot() throws -> ThingName {
        let product = try #require(ProductKey("pk"))
        return try #require(ThingName(product: product, device: "vac:1"))
    }

    @Test func propertiesHaveTheirOwnTimes() throws {
        let message = read(
            "/pk/vac:1/thing/event/property/post",
            #"{"gmtCreate":7,"items":{"a":{"value":1,"time":9},"b":{"value":"x"},"c":3}}"#)
        #expect(
            message
                == .properties(
                    try robot(),
                    [
                        "a": .init(value: 1, at: Timestamp(milliseconds: 9)),
                        "b": .init(value: "x", at: Timestamp(milliseconds: 7)),
                    ]))
    }

    @Test func anEventHasNameDetailAndTime() throws {
        let message = read(
            "/pk/vac:1/thing/event/Stuck/post",
            #"{"identifier":"Stuck","value":{"side":1},"time":9}"#)
        #expect(
            message
                == .event(
                    try robot(), identifier: "Stuck", detail: ["side": 1],
                    at: Timestamp(milliseconds: 9)))
    }

    @Test(arguments: [
        #""utcLastTime":"2018-08-31T07:32:28.205Z","lastTime":"2018-08-31 16:00:00.000""#,
        #""lastTime":"2018-08-31 15:32:28.205","time":"2018-08-31 16:00:00.000""#,
    ])
    func theLastTimeOfAStatusCountsInUTCOrInBeijing(_ times: String) throws {
        let message = read("/as/mqtt/status/pk/vac:1", #"{"status":"offline",\#(times)}"#)
        let time = try #require(Timestamp("2018-08-31T07:32:28.205Z"))
        #expect(message == .status(try robot(), isOnline: false, at: time))
    }

    @Test func aReplyHasTheDigitsOfItsRequest() throws {
        let message = read(
            "/pk/vac:1/thing/downlink/reply/message",
            #"{"requestId":9223372036854775807,"code":200,"message":"success","data":{"a":1}}"#)
        #expect(
            message
                == .reply(
                    try robot(), messageID: "9223372036854775807", code: 200, message: "success",
                    data: ["a": 1]))
    }

    @Test func aLifecycleHasItsActionAlone() throws {
        let message = read(
            "/pk/vac:1/thing/lifecycle", #"{"action":"create","deviceSecret":"s3cret"}"#)
        #expect(message == .lifecycle(try robot(), action: "create"))
    }

    @Test(arguments: [
        ("/pk/vac:1/thing/event/property/post", "{"), ("/pk/vac:1/thing/event/property/post", "{}"),
        ("/pk/vac 1/thing/event/property/post", #"{"items":{}}"#), ("", "{}"), ("/", "{}"),
        ("/pk", "{}"), ("/as/mqtt/status/pk", #"{"status":"online"}"#),
        ("/as/mqtt/status/pk/vac:1", #"{"status":"odd"}"#), ("/pk/vac:1/thing/lifecycle", "{}"),
        ("/pk/vac:1/thing/downlink/reply/message", #"{"code":200}"#),
        ("/pk/vac:1/thing/event/a/b/post", "{}"),
        ("pk/vac:1/thing/event/property/post", #"{"items":{}}"#),
    ])
    func whatCannotBeReadIsNothing(_ topic: String, _ body: String) {
        #expect(read(topic, body) == nil)
    }
}
