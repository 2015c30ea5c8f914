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

    @Test func openingFailsIfNobodyListens() async throws {
        try await withLink(
            "mqtt://127.0.0.1:\(freePort())", connectTimeout: .milliseconds(20)
        ) { link in
            let error = await #expect(throws: MQTTError.self) { try await link.open() }
            #expect(error?.code == .unreachable)
            #expect(await !link.isActive)
            var states = link.states().makeAsyncIterator()
            #expect(await states.next() == "lost for good: unreachable")
        }
    }

    @Test func openingWaitsForABrokerThatIsAway() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                #expect(await link.isActive)
            }
        } broker: { broker in
            // It ends the first two connections before it answers.
            for _ in 1...2 { try broker.accept().cut() }
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func aLinkWithSubscriptionsGoesOnTrying() async throws {
        try await withLink(
            "mqtt://127.0.0.1:\(freePort())", connectTimeout: .milliseconds(20)
        ) { link in
            _ = link.subscribe(to: [request("a")])
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

    @Test func aFinalRefusalEndsTheAttempts() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let subscription = link.subscribe(to: [request("a")])
                try await link.reached("lost for good: connection-refused")
                await #expect(throws: MQTTError.self) {
                    try await link.waitUntilGranted(subscription)
                }
                #expect(await !link.isActive)
                // Opening it again makes a new attempt, with the earlier subscriptions.
                try await link.open()
                try await link.waitUntilGranted(subscription)
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

    /// A busy broker says so in CONNACK; it is tried again while the time to open lasts.
    @Test(arguments: [UInt8(0x88), 0x89, 0x97, 0x9F])
    func openingTriesABusyBrokerAgain(code: UInt8) async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withLink(broker.url, clock: .manual(clock)) { link in
                async let opened: Void = link.open()
                try await link.reached("lost: connection-refused")
                // MQTTClient leaves a busy broker alone for five seconds.
                clock.advance(by: .seconds(6))
                try await opened
            }
        } broker: { broker in
            let busy = try broker.accept()
            _ = try busy.readConnect()
            try busy.send(.connack(.v5, code: code))
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func aBusyBrokerIsNotWaitedForLongerThanAllowed() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url, connectTimeout: .milliseconds(200)) { link in
                let error = await #expect(throws: MQTTError.self) { try await link.open() }
                #expect(error?.reasonCode == .serverBusy)
            }
        } broker: { broker in
            let busy = try broker.accept()
            _ = try busy.readConnect()
            try busy.send(.connack(.v5, code: 0x89))
            _ = busy.readToEnd()
        }
    }

    /// A restart of a broker may look like the fight of two clients with one id.
    @Test func aRandomClientIDIsNeverReportedAsDuplicate() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                _ = link.subscribe(to: [request("a")])
                var losses: [String] = []
                for await state in link.states() where state.hasPrefix("lost") {
                    losses.append(state)
                    if losses.count == 5 { break }
                }
                #expect(losses == Array(repeating: "lost: connection-lost", count: 5))
            }
        } broker: { broker in
            try broker.serve { peer in
                try peer.acceptConnect()
                _ = try peer.read(.subscribe)
                peer.cut()
            }
        }
    }

    @Test func closingEndsStreamsAndWaits() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let subscription = link.subscribe(to: [request("a")])
                let states = link.states()
                async let outcome = link.outcome(of: subscription)
                async let isPassed = link.passFence(
                    publishing: message("fence", qos: .atMostOnce),
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

    @Test func aConnectionLostBeforeTheAnswerLeavesDeliveryUnknown() async throws {
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

    @Test func theBrokersReasonIsReturned() async throws {
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
                    publishing: message("fence", "1", qos: .atMostOnce), within: .seconds(3_600))
                #expect(isPassed)
                #expect(await link.waits.fences.isEmpty)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            try peer.send(.publish(.v5, topic: "fence", payload: Array("0".utf8)))
            try peer.send(.publish(.v5, topic: "fence", payload: Array("1".utf8)))
            _ = peer.readToEnd()
        }
    }

    @Test func aFenceThatDoesNotComeBackIsNotPassed() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let isPassed = try await link.passFence(
                    publishing: message("fence", qos: .atMostOnce),
                    within: .milliseconds(1))
                #expect(!isPassed)
                #expect(await link.waits.fences.isEmpty)
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func withoutAConnectionAFenceFails() async throws {
        try await withLink("mqtt://127.0.0.1:1") { link in
            let error = await #expect(throws: MQTTError.self) {
                try await link.passFence(
                    publishing: message("fence"), within: .seconds(3_600))
            }
            #expect(error?.code == .notConnected)
            #expect(await link.waits.fences.isEmpty)
        }
    }
}
