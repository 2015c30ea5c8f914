import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

@Suite(.timeLimit(.minutes(1))) struct ReplayTests {
    private let clock = ManualLoopClock()

    /// How a replay ended.
    private func replay(_ channel: MosquittoChannel) async -> Result<ReplayCompleteness, any Error>
    {
        do {
            return .success(try await channel.replay(home, .everyDevice))
        } catch {
            return .failure(error)
        }
    }

    @Test func whatIsRetainedHasComeWhenTheFenceReturns() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b", "c"] { try await peer.announce(id, revision: 7) }
            }
            try await withChannel(broker.url) { channel in
                let (hearing, completeness) = try await channel.survey()
                #expect(completeness == .complete)
                for id in ["a", "b", "c"] {
                    #expect(Set(hearing.words(of: id)) == ["description", "presence", "state 7"])
                    #expect(hearing.words(of: id).count == 3)
                }
            }
        }
    }

    @Test func aReplayOfOneDeviceLeavesTheOthersAlone() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b"] { try await peer.announce(id) }
            }
            try await withChannel(broker.url) { channel in
                let survey = try await channel.survey(.device(device("a")))
                #expect(survey.completeness == .complete)
                #expect(survey.hearing.devices == [device("a")])
                let missing = try await channel.survey(.device(device("z")))
                #expect(missing.completeness == .complete)
                #expect(missing.hearing.all.isEmpty)
            }
        }
    }

    @Test func twoThousandDevicesComeFromABrokerWithItsDefaults() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...2_000 {
                        if number > 50 { try await group.next() }
                        group.addTask { try await peer.announce("d-\(number)") }
                    }
                    try await group.waitForAll()
                }
            }
            try await withChannel(broker.url) { channel in
                let (hearing, completeness) = try await channel.survey()
                #expect(completeness == .complete)
                #expect(hearing.devices.count == 2_000)
                #expect(hearing.all.count == 6_000)
            }
        }
    }

    @Test func aSilentHomeIsAskedToAnnounceItself() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let (hearing, _) = channel.hear()
                async let result = replay(channel)
                await broker.signalled()
                await hearing.next("presence", of: "shy")
                // The spread of a second and the margin of half of one.
                await clock.pass(.milliseconds(1_500))
                let first = try await result.get()
                #expect(first == .complete)
                // A home that was heard is not asked once more.
                broker.proceed()
                let second = try await channel.replay(home, .everyDevice)
                #expect(second == .complete)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.returnFence()
            let hello = try peer.read(.publish)
            #expect(hello.topic == "homeport/v1/home-1/hello")
            #expect(try HelloMessage(payload: hello.payload()).spread == .seconds(1))
            try peer.say("shy", "presence", Array(announcement("shy")[1].payload.utf8))
            try peer.send(.puback(hello.publishIdentifier))
            broker.signal()
            try broker.awaitProceed()
            try peer.returnFence()
            #expect(peer.readToEnd() == [.disconnect])
        }
    }

    @Test func withoutTheFenceTheListMayBeIncomplete() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let (hearing, _) = channel.hear()
                async let result = replay(channel)
                await broker.signalled()
                await clock.pass(.seconds(5))
                let completeness = try await result.get()
                #expect(completeness == .incomplete("timed out waiting for retained messages"))
                #expect(hearing.words(of: "a") == ["presence"])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            #expect(try peer.nextGranting().topic == "homeport/v1/home-1/fence")
            try peer.say("a", "presence", Array(announcement("a")[1].payload.utf8))
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test func aRefusedFenceIsNotWaitedFor() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let completeness = try await channel.survey().completeness
                guard case .incomplete = completeness else {
                    Issue.record("nobody knows whether it is complete")
                    return
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.nextGranting(butNot: "/fence")
            _ = peer.readToEnd()
        }
    }

    @Test func aLinkThatIsLostEndsTheReplay() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                _ = channel.hear()
                let result = await replay(channel)
                if case .success(.complete) = result { Issue.record("the fence did not return") }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.nextGranting()
            peer.cut()
        }
    }

    @Test func whatNobodyObservesIsNotReplayed() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let error = await #expect(throws: CommunicationError.self) {
                try await channel.replay(home, .everyDevice)
            }
            #expect(error?.code == .notConnected)
            #expect(error?.message.contains("observe it first") == true)
        }
    }

    @Test func withoutAConnectionNothingIsTried() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let (_, observation) = channel.hear()
            let error = await #expect(throws: CommunicationError.self) {
                try await channel.replay(home, .everyDevice)
            }
            #expect(error?.code == .notConnected)
            observation.cancel()
        }
    }
}

extension FakeBrokerPeer {
    /// Grants everything until a fence comes, and sends it back.
    fileprivate func returnFence() throws {
        let fence = try nextGranting()
        try send(.publish(version, topic: fence.topic, payload: fence.payload()))
    }
}
