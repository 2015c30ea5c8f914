import MQTTClient
import TestSupport
import Testing

@testable import MQTTLink

@Suite(.timeLimit(.minutes(1))) struct LinkTests {
    // MARK: Opening and closing

    @Test func openingConnects() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                try await link.open()
                var states = link.states().makeAsyncIterator()
                #expect(await states.next() == "connected")
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func openingWhereNobodyListensFailsOnce() async throws {
        try await withLink("mqtt://127.0.0.1:\(freePort())") { link in
            let error = await #expect(throws: MQTTError.self) { try await link.open() }
            #expect(error?.code == .unreachable)
            #expect(await !link.isActive)
            var states = link.states().makeAsyncIterator()
            #expect(await states.next() == "lost for good: unreachable")
        }
    }

    @Test func whereSomethingIsWantedTheLinkGoesOnTrying() async throws {
        try await withLink("mqtt://127.0.0.1:\(freePort())") { link in
            _ = link.want([request("a")], to: Inbox().sink)
            let error = await #expect(throws: MQTTError.self) { try await link.open() }
            #expect(error?.code == .unreachable)
            var losses = 0
            for await state in link.states() where state == "lost: unreachable" {
                losses += 1
                if losses == 3 { break }
            }
            #expect(losses == 3)
        }
    }

    @Test func aRefusalForGoodEndsTheAttempts() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let wish = link.want([request("a")], to: Inbox().sink)
                try await link.reached("lost for good: connection-refused")
                await #expect(throws: MQTTError.self) { try await link.granted(wish) }
                #expect(await !link.isActive)
                // Asking once more begins anew, with what was wanted before.
                try await link.open()
                try await link.granted(wish)
            }
        } broker: { broker in
            let refused = try broker.accept()
            _ = try refused.readConnect()
            try refused.send(.connack(.v5, code: 0x87))
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            _ = peer.readToEnd()
        }
    }

    @Test func closingEndsStreamsWishesAndFences() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let wish = link.want([request("a")], to: Inbox().sink)
                let states = link.states()
                async let outcome = link.outcome(of: wish)
                async let isPassed = link.passFence(
                    publishing: message("fence", qos: .atMostOnce), until: { _ in true },
                    within: .seconds(3_600))
                await broker.signalled()
                await link.close()
                let granted = await outcome
                #expect(throws: MQTTError.self) { try granted.get() }
                #expect(try await isPassed == false)
                var words: [String] = []
                for await word in states { words.append(word) }
                #expect(words.first == "connected")
                let closed = await #expect(throws: MQTTError.self) { try await link.open() }
                #expect(closed?.code == .closed)
                var late = link.states().makeAsyncIterator()
                #expect(await late.next() == "lost for good: closed")
                #expect(await late.next() == nil)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = [try peer.read(), try peer.read()]
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    // MARK: Publishing

    @Test func withoutAConnectionPublishingFailsAtOnce() async throws {
        try await withLink("mqtt://127.0.0.1:1") { link in
            let error = await #expect(throws: MQTTError.self) {
                try await link.publish(message("a"))
            }
            #expect(error?.code == .notConnected)
            #expect(error?.provesNothingLeft == true)
            link.publishWithoutWaiting(message("a"))
        }
    }

    @Test func aConnectionLostBeforeTheAnswerProvesNothing() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let error = await #expect(throws: MQTTError.self) {
                    try await link.publish(message("a"))
                }
                #expect(error?.code == .connectionLost)
                #expect(error?.provesNothingLeft == false)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            peer.cut()
        }
    }

    @Test func theBrokersReasonIsTold() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                #expect(try await link.publish(message("a")) == .noMatchingSubscribers)
                link.publishWithoutWaiting(message("b", qos: .atMostOnce))
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let packet = try peer.read(.publish)
            try peer.send(.puback(packet.publishIdentifier, reason: 0x10))
            #expect(try peer.read(.publish).topic == "b")
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    // MARK: Fences

    @Test func aFenceThatComesBackIsPassed() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let isPassed = try await link.passFence(
                    publishing: message("fence", "1", qos: .atMostOnce),
                    until: { $0.payload == Array("1".utf8) }, within: .seconds(3_600))
                #expect(isPassed)
                #expect(await link.fences.isEmpty)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            try peer.send(.publish(.v5, topic: "fence", payload: Array("0".utf8)))
            try peer.send(.publish(.v5, topic: "fence", payload: Array("1".utf8)))
            _ = peer.readToEnd()
        }
    }

    @Test func aFenceThatStaysAwayIsNotPassed() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let isPassed = try await link.passFence(
                    publishing: message("fence", qos: .atMostOnce), until: { _ in true },
                    within: .milliseconds(1))
                #expect(!isPassed)
                #expect(await link.fences.isEmpty)
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func withoutAConnectionNoFenceIsTried() async throws {
        try await withLink("mqtt://127.0.0.1:1") { link in
            let error = await #expect(throws: MQTTError.self) {
                try await link.passFence(
                    publishing: message("fence"), until: { _ in true }, within: .seconds(3_600))
            }
            #expect(error?.code == .notConnected)
            #expect(await link.fences.isEmpty)
        }
    }
}
