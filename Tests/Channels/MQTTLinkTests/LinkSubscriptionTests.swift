import Basics
import MQTTClient
import TestSupport
import Testing

@testable import MQTTLink

@Suite(.timeLimit(.minutes(1))) struct LinkSubscriptionTests {
    @Test func anUnansweredFilterIsRequestedOnTheNextConnection() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let inbox = Inbox(of: link)
                let subscription = link.subscribe(to: [request("a")])
                await broker.signalled()
                try await link.reached("connected")
                try await link.waitUntilGranted(subscription)
                broker.proceed()
                #expect(await inbox.next() == "a")
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.read(.subscribe)
            first.cut()
            let peer = try broker.acceptConnected()
            #expect(try peer.acceptSubscribe() == ["a"])
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.publish(.v5, topic: "a"))
            _ = peer.readToEnd()
        }
    }

    @Test func aWaitForTheGrantEndsWithTheConnection() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let subscription = link.subscribe(to: [request("a")])
                let error = await #expect(throws: MQTTError.self) {
                    try await link.waitUntilGranted(subscription)
                }
                #expect(error?.isRetriable == true)
                broker.proceed()
                try await link.reached("connected")
                try await link.waitUntilGranted(subscription)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.read(.subscribe)
            first.cut()
            try broker.awaitProceed()
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            _ = peer.readToEnd()
        }
    }

    @Test func aRefusedFilterLimitsTheLinkAndLeavesTheOthers() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let inbox = Inbox(of: link)
                let refused = link.subscribe(to: [request("a"), request("b")])
                let heard = link.subscribe(to: [request("c")])
                try await link.reached("limited b")
                let error = await #expect(throws: MQTTError.self) {
                    try await link.waitUntilGranted(refused)
                }
                #expect(error?.code == .subscriptionRefused)
                #expect(error?.reasonCode == .notAuthorized)
                #expect(error?.message.contains("subscription to b") == true)
                #expect(error?.message.contains("access control") == true)
                try await link.waitUntilGranted(heard)
                broker.proceed()
                #expect(await inbox.next() == "c")
                #expect(await inbox.next() == "a")
                // Without the refused filter the link is not limited.
                link.unsubscribe(refused)
                try await link.reached("connected")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe([1, 0x87, 1])
            try broker.awaitProceed()
            try peer.send(.publish(.v5, topic: "c"))
            try peer.send(.publish(.v5, topic: "a"))
            _ = peer.readToEnd()
        }
    }

    /// 0x80 is a failure, and on MQTT 3.1.1 the only code for one.
    @Test func aFailedSubscribeIsRepeated() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let subscription = link.subscribe(
                    to: [request("a"), request("b")])
                try await link.reached("connected")
                try await link.waitUntilGranted(subscription)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe([1, 0x80])
            #expect(try peer.acceptSubscribe() == ["b"])
            _ = peer.readToEnd()
        }
    }

    @Test func aSubscribeThatFailsEachTimeIsRefused() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let subscription = link.subscribe(to: [request("a")])
                try await link.reached("limited a")
                let error = await #expect(throws: MQTTError.self) {
                    try await link.waitUntilGranted(subscription)
                }
                #expect(error?.message.contains("failed, or its access control") == true)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            for _ in 1...3 { try peer.acceptSubscribe([0x80]) }
            _ = peer.readToEnd()
        }
    }

    /// Its CONNACK says so: such a filter is not sent at all.
    @Test func aBrokerWithoutWildcardsIsNamedAsTheCause() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let subscription = link.subscribe(to: [request("+/state"), request("a")])
                try await link.reached("limited +/state")
                let error = await #expect(throws: MQTTError.self) {
                    try await link.waitUntilGranted(subscription)
                }
                #expect(error?.reasonCode == .wildcardSubscriptionsNotSupported)
                #expect(error?.message.contains("offers no wildcard subscriptions") == true)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: [0x28, 0])
            #expect(try peer.acceptSubscribe() == ["a"])
            _ = peer.readToEnd()
        }
    }

    @Test func theNextConnectionMayGrantWhatTheLastOneRefused() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let subscription = link.subscribe(to: [request("a")])
                try await link.reached("limited a")
                broker.proceed()
                try await link.reached("connected")
                try await link.waitUntilGranted(subscription)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            try first.acceptSubscribe([0x87])
            try broker.awaitProceed()
            first.cut()
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            _ = peer.readToEnd()
        }
    }

    @Test func afterARefusedWildcardTheExactFilterIsRequested() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let inbox = Inbox(of: link)
                _ = link.subscribe(to: [request("+/state")])
                let subscription = link.subscribe(to: [request("a/state")])
                try await link.reached("limited +/state")
                try await link.waitUntilGranted(subscription)
                broker.proceed()
                #expect(await inbox.next() == "a/state")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            #expect(try peer.acceptSubscribe([0x87]) == ["+/state"])
            #expect(try peer.acceptSubscribe() == ["a/state"])
            try broker.awaitProceed()
            try peer.send(.publish(.v5, topic: "a/state"))
            _ = peer.readToEnd()
        }
    }

    @Test func manyFiltersGoInPacketsOfTwoHundred() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let subscription = link.subscribe(
                    to: (1...450).map { request("a/\($0)") })
                try await link.reached("connected")
                try await link.waitUntilGranted(subscription)
                try await link.waitUntilSettled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            #expect(try [1, 2, 3].map { _ in try peer.acceptSubscribe().count } == [200, 200, 50])
            _ = peer.readToEnd()
        }
    }

    @Test func aDroppedAnswerIsNotWaitedForAfterTheFence() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                _ = link.subscribe(to: [request("+/presence")])
                let subscription = link.subscribe(to: [request("a/state")])
                await broker.signalled()
                #expect(
                    try await link.passFence(
                        publishing: message("fence"),
                        within: .seconds(60)))
                // The broker has processed the SUBSCRIBE, so the next one follows.
                try await link.waitUntilGranted(subscription)
                try await link.waitUntilSettled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            #expect(try peer.read(.subscribe).filters().map(\.filter) == ["+/presence"])
            broker.signal()
            let fence = try peer.read(.publish)
            try peer.send(.puback(fence.publishIdentifier))
            try peer.send(.publish(.v5, topic: "fence"))
            #expect(try peer.acceptSubscribe() == ["a/state"])
            _ = peer.readToEnd()
        }
    }

    @Test func aDroppedAnswerIsWaitedForForFiveSeconds() async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withLink(broker.url, clock: .manual(clock)) { link in
                let subscription = link.subscribe(to: [request("+/presence")])
                await broker.signalled()
                clock.advance(by: .milliseconds(4_999))
                let next = link.subscribe(to: [request("a/state")])
                clock.advance(by: .milliseconds(1))
                try await link.waitUntilGranted(subscription)
                try await link.waitUntilGranted(next)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.subscribe)
            broker.signal()
            #expect(try peer.acceptSubscribe() == ["a/state"])
            _ = peer.readToEnd()
        }
    }

    @Test func aFenceThatTheBrokerDroppedIsPublishedAgain() async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withLink(broker.url, clock: .manual(clock)) { link in
                let subscription = link.subscribe(to: [request("fence")])
                try await link.reached("connected")
                try await link.waitUntilGranted(subscription)
                async let isPassed = link.passFence(
                    publishing: message("fence", qos: .atMostOnce), within: .seconds(5))
                await broker.signalled()
                await clock.pass(.milliseconds(250))
                #expect(try await isPassed)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            _ = try peer.read(.publish)
            broker.signal()
            _ = try peer.read(.publish)
            try peer.send(.publish(.v5, topic: "fence"))
            _ = peer.readToEnd()
        }
    }

    @Test func theLastSubscriptionToAFilterUnsubscribes() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let inbox = Inbox(of: link)
                let first = link.subscribe(to: [request("a"), request("b")])
                let second = link.subscribe(to: [request("b")], replaying: false)
                try await link.waitUntilGranted(second)
                link.unsubscribe(first)
                await broker.signalled()
                #expect(await inbox.next() == "a")
                #expect(await inbox.next() == "b")
                link.unsubscribe(second)
                await broker.signalled()
                await #expect(throws: MQTTError.self) { try await link.waitUntilGranted(second) }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            for expected in ["a", "b"] {
                let packet = try peer.read(.unsubscribe)
                #expect(try packet.filters().map(\.filter) == [expected])
                try peer.send(.unsuback(.v5, packet.identifier, codes: [0]))
                // A late message is for the receiver to judge.
                try peer.send(.publish(.v5, topic: expected))
                try peer.send(.publish(.v5, topic: "b"))
                broker.signal()
            }
            _ = peer.readToEnd()
        }
    }

    @Test func aSubscriptionThatEndsWhileItIsRequestedDelaysNoOther() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let dropped = link.subscribe(to: [request("a")])
                try await link.reached("connected")
                let again = link.subscribe(to: [request("a")])
                link.unsubscribe(dropped)
                link.unsubscribe(again)
                let other = link.subscribe(to: [request("b")])
                try await link.waitUntilGranted(other)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            var (isWanted, isGivenUp) = (false, false)
            while !isWanted || !isGivenUp {
                let packet = try peer.read()
                let filters = try packet.filters().map(\.filter)
                if packet.kind == .unsubscribe {
                    isGivenUp = filters == ["a"]
                } else {
                    isWanted = filters.contains("b")
                    let codes = filters.map { _ in UInt8(1) }
                    try peer.send(.suback(.v5, packet.identifier, codes: codes))
                }
            }
            _ = peer.readToEnd()
        }
    }

    @Test func aWaitForTheGrantEndsWithTheSubscription() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let subscription = link.subscribe(to: [request("a")])
                async let outcome = link.outcome(of: subscription)
                await broker.signalled()
                link.unsubscribe(subscription)
                let granted = await outcome
                let error = #expect(throws: MQTTError.self) { try granted.get() }
                #expect(error?.message.contains("the subscription was ended") == true)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.subscribe)
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func aWaitForEveryAnswerEndsWhenTheLastRequestIsWithdrawn() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                try await link.waitUntilSettledAfterUnsubscribing()
            }
        } broker: { broker in
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    @Test func aReceiverMayEndASubscriptionAndMakeAnother() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let (topics, source) = AsyncStream.makeStream(of: String.self)
                let first = link.subscribe(to: [request("a")])
                link.receive { [weak link] message in
                    source.yield(message.topic.rawValue)
                    guard message.topic.rawValue == "a" else { return }
                    link?.unsubscribe(first)
                    _ = link?.subscribe(to: [request("b")])
                }
                broker.proceed()
                var received = topics.makeAsyncIterator()
                #expect(await received.next() == "a")
                #expect(await received.next() == "b")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            try broker.awaitProceed()
            try peer.send(.publish(.v5, topic: "a"))
            #expect(try peer.acceptSubscribe() == ["b"])
            #expect(try peer.read(.unsubscribe).filters().map(\.filter) == ["a"])
            try peer.send(.publish(.v5, topic: "b"))
            _ = peer.readToEnd()
        }
    }
}

extension MQTTLink {
    /// Ends a subscription in the turn of the loop that it was made in, so that no SUBSCRIBE is sent for
    /// it, and waits until every SUBSCRIBE is answered.
    fileprivate func waitUntilSettledAfterUnsubscribing() async throws(MQTTError) {
        unsubscribe(subscribe(to: [request("a")]))
        try await waitUntilSettled()
    }
}
