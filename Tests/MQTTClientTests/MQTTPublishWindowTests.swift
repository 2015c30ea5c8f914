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
            limit: 1, maximumMessages: 100, maximumBytes: message.cost * 2)
        #expect(send(message, 1, to: &window))
        #expect(window.admit(message, token: 2) == .queued)
        #expect(window.admit(message, token: 3) == .queued)
        #expect(window.admit(message, token: 4) == .full)
        #expect(window.complete(1) == 1)
        let next = window.next()
        #expect(next?.token == 2)
        #expect(window.admit(message, token: 4) == .queued)
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
        #expect(window.removeAll() == [9, 1, 2, 3])
        #expect(window.removeAll().isEmpty)
        #expect(window.outstanding == 0)
    }

    private func window(limit: Int, messages: Int) -> MQTTPublishWindow<Int> {
        MQTTPublishWindow(limit: limit, maximumMessages: messages, maximumBytes: 1 << 20)
    }

    /// Admits a message and reports it as sent under its number.
    private func send(
        _ message: MQTTMessage, _ number: UInt16, to window: inout MQTTPublishWindow<Int>
    ) -> Bool {
        guard window.admit(message, token: Int(number)) == .send else { return false }
        _ = window.sent(message, packet: number, token: Int(number))
        return true
    }
}
