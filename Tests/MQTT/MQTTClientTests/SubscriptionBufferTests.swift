import Testing

@testable import MQTTClient

@Suite struct SubscriptionBufferTests {
    typealias Buffer = SubscriptionBuffer<Int>

    @Test func waitingConsumerGetsTheMessage() throws {
        var buffer = Buffer(policy: .suspend(4))
        guard case .wait = buffer.pop(7) else {
            Issue.record("nothing to take yet")
            return
        }
        guard case .deliver(7) = buffer.push(try .test("a")) else {
            Issue.record("the consumer waits")
            return
        }
        #expect(buffer.count == 0)
    }

    @Test func suspendPausesOnceAndResumesAtHalf() throws {
        var buffer = Buffer(policy: .suspend(4))
        let pauses = try (0..<6).map { number in
            if case .pause = buffer.push(try .test("a", "\(number)")) { true } else { false }
        }
        #expect(pauses == [false, false, false, true, false, false])
        let resumes = (0..<6).map { number in
            if case .take(_, resume: true) = buffer.pop(number) { true } else { false }
        }
        #expect(resumes == [false, false, false, true, false, false])
        #expect(buffer.dropped == 0)
    }

    @Test func theLargestLimitIsNoneAtAll() throws {
        var buffer = Buffer(policy: .suspend(.max))
        for _ in 0..<3 {
            guard case .none = buffer.push(try .test("a")) else {
                Issue.record("there is room")
                return
            }
        }
        #expect(buffer.count == 3)
    }

    @Test func suspendDropsBeyondTwiceTheLimit() throws {
        var buffer = Buffer(policy: .suspend(2))
        for number in 0..<3 { _ = buffer.push(try .test("a", "\(number)")) }
        buffer.endPause()
        for number in 3..<7 { _ = buffer.push(try .test("a", "\(number)")) }
        #expect(buffer.count == 4)
        #expect(buffer.dropped == 3)
        #expect(payloads(&buffer) == ["0", "1", "2", "3"])
    }

    /// One read may bring many messages: those that come before it has stopped are kept.
    @Test func suspendKeepsWhatComesBeforeReadingHasStopped() throws {
        var buffer = Buffer(policy: .suspend(2))
        for round in 0..<2 {
            for number in 0..<7 { _ = buffer.push(try .test("a", "\(number)")) }
            #expect(payloads(&buffer).count == 7)
            #expect(buffer.dropped == 0)
            // Of the first round: it has ended with the messages.
            if round == 0 { buffer.endPause() }
        }
    }

    @Test func dropOldestKeepsTheNewest() throws {
        var buffer = Buffer(policy: .dropOldest(3))
        for number in 0..<10 { _ = buffer.push(try .test("a", "\(number)")) }
        #expect(buffer.dropped == 7)
        #expect(payloads(&buffer) == ["7", "8", "9"])
    }

    @Test func dropNewestKeepsTheOldest() throws {
        var buffer = Buffer(policy: .dropNewest(3))
        for number in 0..<10 { _ = buffer.push(try .test("a", "\(number)")) }
        #expect(buffer.dropped == 7)
        #expect(payloads(&buffer) == ["0", "1", "2"])
    }

    @Test func theEndComesAfterWhatIsBuffered() throws {
        var buffer = Buffer(policy: .dropOldest(3))
        _ = buffer.push(try .test("a", "last"))
        #expect(buffer.end(nil) == nil)
        #expect(payloads(&buffer) == ["last"])
        guard case .end(nil) = buffer.pop(1) else {
            Issue.record("it has ended")
            return
        }
    }

    @Test func theEndWakesTheConsumerOnce() {
        var buffer = Buffer(policy: .dropOldest(3))
        _ = buffer.pop(5)
        #expect(buffer.end(nil) == 5)
        #expect(buffer.end(nil) == nil)
        #expect(!buffer.cancel { $0 == 5 })
    }

    @Test func onlyTheWaitingConsumerCanLeave() throws {
        var buffer = Buffer(policy: .dropOldest(3))
        _ = buffer.pop(5)
        #expect(!buffer.cancel { $0 == 4 })
        #expect(buffer.cancel { $0 == 5 })
        #expect(!buffer.cancel { $0 == 5 })
        guard case .none = buffer.push(try .test("a")) else {
            Issue.record("nobody waits")
            return
        }
    }

    @Test func aSecondConsumerIsRefused() {
        var buffer = Buffer(policy: .dropOldest(3))
        _ = buffer.pop(1)
        guard case .refuse = buffer.pop(2) else {
            Issue.record("one consumer at a time")
            return
        }
    }

    private func payloads(_ buffer: inout Buffer) -> [String] {
        var texts: [String] = []
        while case .take(let message, _) = buffer.pop(0) {
            texts.append(String(decoding: message.payload, as: UTF8.self))
        }
        _ = buffer.cancel { _ in true }
        return texts
    }
}
