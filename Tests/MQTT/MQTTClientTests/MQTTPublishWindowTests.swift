import Testing

@testable import MQTTClient

@Suite struct MQTTPublishWindowTests {
    private let message: MQTTMessage
    private let unconfirmed: MQTTMessage

    init() throws {
        message = try .test("a", "payload")
        unconfirmed = try .test("a", "payload", qos: .atMostOnce)
    }

    @Test func sendsUpToTheLimitAndKeepsTheRest() {
        var window = window(limit: 2, messages: 3)
        #expect(send(message, 1, to: &window))
        #expect(send(message, 2, to: &window))
        #expect(window.admit(message, token: 3) == .queued)
        #expect(window.admit(message, token: 4) == .queued)
        #expect(window.admit(message, token: 5) == .queued)
        #expect(window.admit(message, token: 6) == .full)
        #expect(window.outstanding == 5)
        let none = window.next()
        #expect(none == nil)
        #expect(window.complete(1) == 1)
        let next = window.next()
        #expect(next?.token == 3)
    }

    @Test func waitingMessagesAreNotOvertaken() {
        var window = window(limit: 1, messages: 10)
        #expect(send(message, 1, to: &window))
        #expect(window.admit(message, token: 2) == .queued)
        #expect(window.complete(1) == 1)
        #expect(window.admit(message, token: 3) == .queued)
        let next = window.next()
        #expect(next?.token == 2)
    }

    /// Those at QoS 0 need not wait for an acknowledgement, but for their order.
    @Test func unconfirmedMessagesDoNotOvertakeEachOther() {
        var window = window(limit: 1, messages: 10)
        _ = window.admit(contentsOf: [message, message], token: { $0 })
        #expect(sendNext(1, of: &window) == 0)
        #expect(window.admit(message, token: 7) == .queued)
        #expect(window.admit(unconfirmed, token: 8) == .queued)
        #expect(window.complete(1) == 0)
        #expect(sendNext(2, of: &window) == 1)
        // The batch is done, and the one before it still waits.
        #expect(window.admit(unconfirmed, token: 9) == .queued)
        #expect(window.complete(2) == 1)
        #expect(sendNext(3, of: &window) == 7)
        #expect(sendNext(4, of: &window) == 8)
        #expect(sendNext(5, of: &window) == 9)
        #expect(window.complete(4) == 8 && window.complete(5) == 9)
        #expect(send(unconfirmed, 6, to: &window))
    }

    @Test func unknownAndRepeatedAcknowledgementsMakeNoRoom() {
        var window = window(limit: 2, messages: 10)
        #expect(send(message, 1, to: &window))
        #expect(send(message, 2, to: &window))
        #expect(window.complete(99) == nil)
        #expect(window.complete(1) == 1)
        #expect(window.complete(1) == nil)
        #expect(window.inFlight == 1)
    }

    @Test func unwrittenMessagesAreBounded() {
        var window = window(limit: 1, messages: 2)
        #expect(send(unconfirmed, 1, to: &window))
        #expect(send(unconfirmed, 2, to: &window))
        #expect(window.admit(unconfirmed, token: 3) == .full)
        #expect(window.complete(1) == 1)
        #expect(send(unconfirmed, 3, to: &window))
    }

    @Test func bytesAreBounded() {
        var window = MQTTPublishWindow<Int>(
            limit: 1, maximumMessages: 100, maximumBytes: (64 + Self.size(message)) * 2)
        #expect(send(message, 1, to: &window))
        #expect(window.admit(message, token: 2) == .queued)
        #expect(window.admit(message, token: 3) == .queued)
        #expect(window.admit(message, token: 4) == .full)
        #expect(window.complete(1) == 1)
        let next = window.next()
        #expect(next?.token == 2)
        #expect(window.admit(message, token: 4) == .queued)
    }

    @Test func propertiesCountTowardsTheBytes() {
        var message = message
        message.properties.userProperties = [
            .init(name: "a", value: String(repeating: "x", count: 900))
        ]
        var window = MQTTPublishWindow<Int>(limit: 1, maximumMessages: 100, maximumBytes: 1_900)
        #expect(send(message, 1, to: &window))
        #expect(window.admit(message, token: 2) == .queued)
        #expect(window.admit(message, token: 3) == .full)
    }

    @Test func serverMayRestrictTheLimit() {
        var window = window(limit: 100, messages: 10)
        window.restrict(to: 1)
        #expect(send(message, 1, to: &window))
        #expect(window.admit(message, token: 2) == .queued)
    }

    @Test func everyTokenComesBackOnce() {
        var window = window(limit: 2, messages: 10)
        #expect(send(unconfirmed, 9, to: &window))
        #expect(send(message, 1, to: &window))
        #expect(send(message, 2, to: &window))
        #expect(window.admit(message, token: 3) == .queued)
        #expect(window.admit(contentsOf: [message, message], token: { 40 + $0 }) > 0)
        #expect(window.admit(message, token: 5) == .queued)
        let all = window.removeAll()
        #expect(all.sent == [9, 1, 2])
        #expect(all.unsent == [3, 40, 5])
        let none = window.removeAll()
        #expect(none.sent.isEmpty && none.unsent.isEmpty)
        #expect(window.outstanding == 0)
    }

    @Test func aBatchIsGivenOutAsThereIsRoomAndNothingOvertakesIt() {
        var window = window(limit: 2, messages: 10)
        _ = window.admit(contentsOf: [message, message, message], token: { $0 })
        #expect(window.outstanding == 3)
        #expect(window.admit(message, token: 10) == .queued)
        #expect(window.admit(unconfirmed, token: 11) == .queued)
        #expect(sendNext(1, of: &window) == 0)
        #expect(sendNext(2, of: &window) == 1)
        #expect(sendNext(3, of: &window) == nil)
        #expect(window.complete(1) == 0)
        #expect(sendNext(3, of: &window) == 2)
        #expect(window.complete(2) == 1)
        #expect(sendNext(4, of: &window) == 10)
        #expect(window.next()?.token == 11)
        #expect(window.outstanding == 2)
    }

    @Test func aBatchWaitsOutsideTheBounds() {
        var window = window(limit: 1, messages: 2)
        _ = window.admit(contentsOf: Array(repeating: unconfirmed, count: 5), token: { $0 })
        #expect(sendNext(1, of: &window) == 0)
        #expect(sendNext(2, of: &window) == 1)
        #expect(sendNext(3, of: &window) == nil)
        #expect(window.complete(1) == 0)
        #expect(sendNext(3, of: &window) == 2)
        #expect(window.outstanding == 4)
    }

    @Test func aMessageLargerThanTheOutboxPassesAlone() {
        var window = MQTTPublishWindow<Int>(limit: 1, maximumMessages: 9, maximumBytes: 1)
        #expect(send(unconfirmed, 1, to: &window))
        #expect(window.admit(unconfirmed, token: 2) == .full)
        #expect(window.complete(1) == 1)
        #expect(send(unconfirmed, 2, to: &window))
    }

    @Test func aMessageLargerThanTheOutboxPassesInABatch() {
        var window = MQTTPublishWindow<Int>(limit: 1, maximumMessages: 9, maximumBytes: 1)
        _ = window.admit(contentsOf: [unconfirmed, unconfirmed], token: { $0 })
        #expect(sendNext(1, of: &window) == 0)
        #expect(sendNext(2, of: &window) == nil)
        #expect(window.complete(1) == 0)
        #expect(sendNext(2, of: &window) == 1)
    }

    @Test func anAbandonedBatchGivesOutNoMore() {
        var window = window(limit: 1, messages: 10)
        let number = window.admit(contentsOf: [message, message], token: { $0 })
        #expect(sendNext(1, of: &window) == 0)
        _ = window.admit(contentsOf: [message], token: { 10 + $0 })
        window.abandon(number)
        #expect(window.complete(1) == 0)
        #expect(sendNext(2, of: &window) == 10)
    }

    /// Takes what waits and reports it as sent under a number; its token.
    private func sendNext(_ number: UInt16, of window: inout MQTTPublishWindow<Int>) -> Int? {
        guard let (message, size, token) = window.next() else { return nil }
        _ = window.sent(message.qos, size: size, packet: number, token: token)
        return token
    }

    private static func size(_ message: MQTTMessage) -> Int {
        MQTTPacketSize.publish(message, version: .v5)
    }

    private func window(limit: Int, messages: Int) -> MQTTPublishWindow<Int> {
        MQTTPublishWindow(limit: limit, maximumMessages: messages, maximumBytes: 1 << 20)
    }

    /// Admits a message and reports it as sent under its number.
    private func send(
        _ message: MQTTMessage, _ number: UInt16, to window: inout MQTTPublishWindow<Int>
    ) -> Bool {
        guard window.admit(message, token: Int(number)) == .send else { return false }
        _ = window.sent(
            message.qos, size: Self.size(message), packet: number, token: Int(number))
        return true
    }
}

extension MQTTPublishWindow {
    /// Admits a message of MQTT 5.
    fileprivate mutating func admit(_ message: MQTTMessage, token: Token) -> Admission {
        admit(message, size: MQTTPacketSize.publish(message, version: .v5), token: token)
    }
}
