import DeviceDomain
import DeviceMessages
import Testing

@testable import Alink

@Suite struct MessageTests {
    @Test func aRequestIsReadAsItIsWritten() throws {
        let payload = AlinkRequest.payload(
            id: "17", parameters: #"{"level":1.0}"#, method: "thing.service.property.set")
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"id":"17","version":"1.0","params":{"level":1.0},"#
                + #""method":"thing.service.property.set"}"#)
        let request = try AlinkRequest(payload: payload)
        #expect(request.id == "17")
        #expect(request.parameters == ["level": 1])
        #expect(request.method == "thing.service.property.set")
        #expect(request.wantsReply)
    }

    @Test func aNumberAsAnIDIsTakenAndNoReplyIsSentToWhoWantsNone() throws {
        let request = try AlinkRequest(
            payload: Array(#"{"id":7,"params":{},"sys":{"ack":0}}"#.utf8))
        #expect(request.id == "7")
        #expect(!request.wantsReply)
    }

    @Test func anIDHasAtMost64Bytes() throws {
        let longest = String(repeating: "1", count: 64)
        #expect(try AlinkRequest(payload: Array(#"{"id":"\#(longest)"}"#.utf8)).id == longest)
        #expect(throws: PayloadError.self) {
            try AlinkRequest(payload: Array(#"{"id":"\#(longest)1"}"#.utf8))
        }
    }

    @Test(arguments: ["", "[]", "7", #"{"params":{}}"#, #"{"id":""}"#, #"{"id":{}}"#, "{", "\u{0}"])
    func garbageIsNoRequest(text: String) {
        #expect(throws: PayloadError.self) { try AlinkRequest(payload: Array(text.utf8)) }
    }

    @Test func aReplyHasEveryMemberThatDevicesWant() throws {
        let payload = AlinkReply(id: "9").payload(to: "thing.event.property.post")
        #expect(
            try JSONReader.read(payload) == [
                "id": "9", "code": 200, "data": [:], "message": "success",
                "method": "thing.event.property.post", "version": "1.0",
            ])
        #expect(try AlinkReply(payload: payload) == AlinkReply(id: "9"))
    }

    @Test(arguments: [#"{"id":"1"}"#, #"{"code":200}"#, #"{"id":"1","code":"x"}"#, "null"])
    func garbageIsNoReply(text: String) {
        #expect(throws: PayloadError.self) { try AlinkReply(payload: Array(text.utf8)) }
    }

    @Test func propertiesArePostedPlainOrWithATime() {
        let posted = PostedProperty.read([
            "a": 1, "b": ["value": 2, "time": 1_524_448_722_000],
            "c": ["value": 3, "other": 4], "d": ["value": ["x": 1], "time": "17"],
        ])
        #expect(
            posted == [
                PostedProperty("a", 1),
                PostedProperty("b", 2, time: Timestamp(milliseconds: 1_524_448_722_000)),
                PostedProperty("c", ["value": 3, "other": 4]),
                PostedProperty("d", ["x": 1], time: Timestamp(milliseconds: 17)),
            ])
    }

    @Test func anEventHasItsDetailsInAValueOrWithoutIt() {
        #expect(PostedEvent(["value": ["x": 1], "time": 5]).value == ["x": 1])
        #expect(PostedEvent(["value": ["x": 1], "time": 5]).time == Timestamp(milliseconds: 5))
        #expect(PostedEvent(["x": 1]).value == ["x": 1])
    }

    @Test(
        arguments: [
            #"{"status":"online","utcLastTime":"2018-08-31T07:32:28.195Z"}"#,
            #"{"status":"online","lastTime":"2018-08-31 15:32:28.195"}"#,
            #"{"status":"online","utcTime":"2018-08-31T07:32:28.195Z","time":"x"}"#,
        ])
    func aStatusTellsItsTimeInUTCOrInBeijing(text: String) throws {
        let status = try AlinkStatus(payload: Array(text.utf8))
        #expect(status.isOnline)
        #expect(status.lastTime == Timestamp("2018-08-31T07:32:28.195Z"))
    }

    @Test func aStatusIsOnlineOrOffline() throws {
        #expect(try !AlinkStatus(payload: Array(#"{"status":"offline"}"#.utf8)).isOnline)
        #expect(throws: PayloadError.self) {
            try AlinkStatus(payload: Array(#"{"status":"asleep"}"#.utf8))
        }
    }
}
