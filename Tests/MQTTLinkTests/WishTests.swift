import Locking
import MQTTClient
import TestSupport
import Testing

@testable import MQTTLink

@Suite(.timeLimit(.minutes(1))) struct WishTests {
    @Test func aFilterThatWasNotAnsweredIsAskedForOnTheNextConnection() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let inbox = Inbox()
                let wish = link.want([request("a")], to: inbox.sink)
                await broker.signalled()
                try await link.reached("connected")
                try await link.granted(wish)
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
                let wish = link.want([request("a")], to: Inbox().sink)
                let error = await #expect(throws: MQTTError.self) { try await link.granted(wish) }
                #expect(error?.isRetriable == true)
                broker.proceed()
                try await link.reached("connected")
                try await link.granted(wish)
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
                let inbox = Inbox()
                let refused = link.want([request("a"), request("b")], to: inbox.sink)
                let heard = link.want([request("c")], to: inbox.sink)
                try await link.reached("limited b")
                let error = await #expect(throws: MQTTError.self) {
                    try await link.granted(refused)
                }
                #expect(error?.code == .subscriptionRefused)
                #expect(error?.reasonCode == .notAuthorized)
                #expect(error?.message.contains("subscribe to b") == true)
                #expect(error?.message.contains("access control") == true)
                try await link.granted(heard)
                broker.proceed()
                #expect(await inbox.next() == "c")
                #expect(await inbox.next() == "a")
                // Who wants it no more is not limited by it.
                link.drop(refused)
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

    @Test func theNextConnectionMayGrantWhatTheLastOneRefused() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let wish = link.want([request("a")], to: Inbox().sink)
                try await link.reached("limited a")
                broker.proceed()
                try await link.reached("connected")
                try await link.granted(wish)
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

    @Test func behindARefusedWildcardTheExactFilterIsHeard() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let inbox = Inbox()
                _ = link.want([request("+/state")], to: Inbox().sink)
                let wish = link.want([request("a/state")], to: inbox.sink)
                try await link.reached("limited +/state")
                try await link.granted(wish)
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

    @Test func manyFiltersGoInPacketsOfTwoHundredEachAnswered() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let wish = link.want((1...450).map { request("a/\($0)") }, to: Inbox().sink)
                try await link.reached("connected")
                try await link.granted(wish)
                try await link.settled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            #expect(try [1, 2, 3].map { _ in try peer.acceptSubscribe().count } == [200, 200, 50])
            _ = peer.readToEnd()
        }
    }

    @Test func anAnswerThatTheBrokerDroppedIsNotWaitedForBehindTheFence() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let inbox = Inbox()
                _ = link.want([request("+/presence")], to: inbox.sink)
                let wish = link.want([request("a/state")], to: inbox.sink)
                await broker.signalled()
                #expect(
                    try await link.passFence(
                        publishing: message("fence"), until: { $0.topic.rawValue == "fence" },
                        within: .seconds(60)))
                // The broker has carried the SUBSCRIBE out, so the next one follows.
                try await link.granted(wish)
                try await link.settled()
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

    @Test func anAnswerThatTheBrokerDroppedIsWaitedForForFiveSeconds() async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withLink(broker.url, clock: .manual(clock)) { link in
                let wish = link.want([request("+/presence")], to: Inbox().sink)
                await broker.signalled()
                clock.advance(by: .milliseconds(4_999))
                let next = link.want([request("a/state")], to: Inbox().sink)
                clock.advance(by: .milliseconds(1))
                try await link.granted(wish)
                try await link.granted(next)
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
                let wish = link.want([request("fence")], to: Inbox().sink)
                try await link.reached("connected")
                try await link.granted(wish)
                async let isPassed = link.passFence(
                    publishing: message("fence", qos: .atMostOnce),
                    until: { $0.topic.rawValue == "fence" }, within: .seconds(5))
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

    @Test func theLastWishForAFilterUnsubscribes() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let inbox = Inbox()
                let first = link.want([request("a"), request("b")], to: inbox.sink)
                let second = link.want([request("b")], replaying: false, to: inbox.sink)
                try await link.granted(second)
                link.drop(first)
                await broker.signalled()
                #expect(await inbox.next() == "b")
                link.drop(second)
                await broker.signalled()
                await #expect(throws: MQTTError.self) { try await link.granted(second) }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            for expected in ["a", "b"] {
                let packet = try peer.read(.unsubscribe)
                #expect(try packet.filters().map(\.filter) == [expected])
                try peer.send(.unsuback(.v5, packet.identifier, codes: [0]))
                // A late message of a filter that nobody wants reaches nobody.
                try peer.send(.publish(.v5, topic: expected))
                try peer.send(.publish(.v5, topic: "b"))
                broker.signal()
            }
            _ = peer.readToEnd()
        }
    }

    @Test func aWishThatIsDroppedWhileItIsAskedForHoldsNobodyUp() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                let dropped = link.want([request("a")], to: Inbox().sink)
                try await link.reached("connected")
                let again = link.want([request("a")], to: Inbox().sink)
                link.drop(dropped)
                link.drop(again)
                let other = link.want([request("b")], to: Inbox().sink)
                try await link.granted(other)
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

    @Test func aSinkMayDropItsOwnWishAndWantAnother() async throws {
        try await withFakeBroker { broker in
            try await withLink(broker.url) { link in
                try await link.open()
                let inbox = Inbox()
                let wishes = Wishes()
                let sink = MQTTSink { message in
                    wishes.drop(on: link)
                    wishes.add(link.want([request("b")], to: inbox.sink))
                    inbox.sink.deliver(message)
                }
                wishes.add(link.want([request("a")], to: sink))
                #expect(await inbox.next() == "a")
                #expect(await inbox.next() == "b")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribe()
            try peer.send(.publish(.v5, topic: "a"))
            #expect(try peer.acceptSubscribe() == ["b"])
            #expect(try peer.read(.unsubscribe).filters().map(\.filter) == ["a"])
            try peer.send(.publish(.v5, topic: "b"))
            _ = peer.readToEnd()
        }
    }
}

/// Wishes that a sink holds.
private final class Wishes: Sendable {
    private let wishes = Guarded<[MQTTWish]>([])

    func add(_ wish: MQTTWish) { wishes.withLock { $0.append(wish) } }

    func drop(on link: MQTTLink) {
        for wish in wishes.withLock({ $0 }) { link.drop(wish) }
    }
}
