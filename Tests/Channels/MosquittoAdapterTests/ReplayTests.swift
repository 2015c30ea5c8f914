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
                let (recorder, completeness) = try await channel.survey()
                #expect(completeness == .complete)
                for id in ["a", "b", "c"] {
                    #expect(Set(recorder.names(of: id)) == ["description", "presence", "state 7"])
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
                #expect(survey.recorder.devices == [device("a")])
                let missing = try await channel.survey(.device(device("z")))
                #expect(missing.completeness == .complete)
                #expect(missing.recorder.all.isEmpty)
            }
        }
    }

    /// Half of them are online and answer a hello, as devices do; presences beyond a broker's queue for
    /// a slow reader may be lost.
    @Test(arguments: [400, 1_200])
    func aHomeOfAnySizeComesWholeFromABrokerWithItsDefaults(count: Int) async throws {
        let ids = (1...count).map { "d-\($0)" }
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, id) in ids.enumerated() {
                        if number > 50 { try await group.next() }
                        group.addTask { try await peer.announce(id) }
                    }
                    try await group.waitForAll()
                }
            }
            try await withChannel(broker.url) {
                $0.helloSpread = .milliseconds(1)
                $0.helloMargin = .milliseconds(1)
            } _: { channel in
                let (recorder, observation) = channel.startRecording()
                let completeness = try await channel.replay(home, .everyDevice) {
                    Set(ids.map { device($0) })
                }
                observation.cancel()
                // Whether this broker drops depends on its speed; only what it dropped makes the list doubtful.
                if case .uncertain(let reason) = completeness, count > HomeRoster.replayLimit {
                    #expect(reason.contains("left out"))
                } else {
                    #expect(completeness == .complete)
                }
                #expect(recorder.devices.count == count)
                for id in ids {
                    #expect(Set(recorder.names(of: id)) == ["description", "presence", "state 1"])
                }
            }
        }
    }

    @Test func whatDoesNotComeIsAskedForOnceMoreAndThenNamed() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b"] { try await peer.announce(id) }
                try await peer.publish("homeport/v1/home-1/b/state", "", retain: true)
                try await withChannel(broker.url) { channel in
                    let completeness = try await channel.survey().completeness
                    #expect(completeness == .incomplete("incomplete at the broker: b has no state"))
                }
            }
        }
    }

    @Test func aDeviceThatRetainsNoPresenceIsFoundInASmallHome() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "bare"] { try await peer.announce(id) }
                for part in ["presence", "state"] {
                    try await peer.publish("homeport/v1/home-1/bare/\(part)", "", retain: true)
                }
                try await withChannel(broker.url) { channel in
                    let (recorder, completeness) = try await channel.survey()
                    #expect(recorder.names(of: "bare").contains("description"))
                    #expect(
                        completeness
                            == .incomplete(
                                "incomplete at the broker: bare has no presence and state"))
                }
            }
        }
    }

    @Test func aSilentHomeIsAskedToAnnounceItself() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let (recorder, _) = channel.startRecording()
                async let result = channel.replay(home, .everyDevice) { [device("old")] }
                await broker.signalled()
                // The spread of a second, a margin with an answer in it, and one without, each behind a
                // fence. The spread begins with the send: the broker confirms the hello later.
                await clock.pass(.seconds(1))
                broker.proceed()
                await clock.due(after: .milliseconds(500))
                broker.proceed()
                await recorder.next("state 1", of: "shy")
                await clock.pass(.milliseconds(500))
                await clock.pass(.milliseconds(500))
                guard case .uncertain(let reason) = try await result else {
                    Issue.record("a device that is offline may be missing")
                    return
                }
                #expect(reason.contains("announce themselves"))
                #expect(recorder.names(of: "shy") == ["description", "presence", "state 1"])
                #expect(recorder.names(of: "old").isEmpty)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.returnFence()
            let hello = try peer.nextGranting()
            #expect(hello.topic == "homeport/v1/home-1/hello")
            #expect(try HelloMessage(payload: hello.payload()).spread == .seconds(1))
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.puback(hello.publishIdentifier))
            try peer.returnFence()
            try broker.awaitProceed()
            // The device's announcement matches the wildcards.
            for (part, payload) in announcement("shy") {
                try peer.say("shy", part, Array(payload.utf8))
            }
            try peer.returnFence()
            // The device that was listed before, and did not answer, is subscribed to by name.
            #expect(
                Set(try peer.acceptSubscribe())
                    == Set(
                        ["description", "presence", "state"].map {
                            "homeport/v1/home-1/old/\($0)"
                        }))
            try peer.returnFence()
            try peer.returnFence()
            _ = peer.readToEnd()
        }
    }

    /// Another reader may just have asked, and devices answer once in five seconds: it helps to ask again.
    @Test func aHomeOfWhichNothingIsHeardIsAskedAgainWithTheNextReplay() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                _ = channel.startRecording()
                for _ in 0..<2 {
                    async let result = channel.replay(home, .everyDevice)
                    await broker.signalled()
                    await clock.pass(.seconds(1))
                    await clock.pass(.milliseconds(500))
                    guard case .incomplete(let reason) = try await result else {
                        Issue.record("silence is no proof")
                        return
                    }
                    #expect(reason.contains("try again"))
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.returnFence()
            for _ in 0..<2 {
                var packet = try peer.nextGranting()
                while packet.topic != "homeport/v1/home-1/hello" {
                    try peer.send(
                        .publish(peer.version, topic: packet.topic, payload: packet.payload()))
                    packet = try peer.nextGranting()
                }
                broker.signal()
                try peer.send(.puback(packet.publishIdentifier))
            }
            // From here on there are fences only.
            var packet = try peer.read()
            while packet.kind == .publish {
                try peer.send(
                    .publish(peer.version, topic: packet.topic, payload: packet.payload()))
                packet = try peer.read()
            }
        }
    }

    /// A busy broker may pass on nothing for longer than a margin. Subscribing to all known devices by name
    /// would keep it busy for even longer.
    @Test func aBusyBrokerIsWaitedForBeforeDevicesCountAsSilent() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let (recorder, _) = channel.startRecording()
                async let result = channel.replay(home, .everyDevice) { [device("old")] }
                await broker.signalled()
                await clock.pass(.seconds(1))
                await broker.signalled()
                clock.advance(by: .milliseconds(500))
                broker.proceed()
                await recorder.next("state 1", of: "old")
                await clock.pass(.milliseconds(500))
                guard case .uncertain = try await result else {
                    Issue.record("a device that is offline may be missing")
                    return
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.returnFence()
            let hello = try peer.nextGranting()
            try peer.send(.puback(hello.publishIdentifier))
            broker.signal()
            let fence = try peer.read(.publish)
            broker.signal()
            try broker.awaitProceed()
            for (part, payload) in announcement("old") {
                try peer.say("old", part, Array(payload.utf8))
            }
            try peer.send(.publish(peer.version, topic: fence.topic, payload: fence.payload()))
            // From here on there are fences only.
            var packet = try peer.read()
            while packet.kind == .publish {
                try peer.send(
                    .publish(peer.version, topic: packet.topic, payload: packet.payload()))
                packet = try peer.read()
            }
            #expect(packet.kind == .disconnect)
        }
    }

    @Test func aLargeHomeGetsAHelloOnEachNewConnection() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                _ = channel.startRecording()
                await broker.signalled()
                await broker.signalled()
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.acceptSubscribes(3)
            for number in 1...501 {
                let id = "d-\(number)"
                try first.say(id, "presence", Array(announcement(id)[1].payload.utf8))
            }
            var count = 0
            while count < 1_002 { count += try first.acceptSubscribe().count }
            broker.signal()
            first.cut()
            let second = try broker.acceptConnected()
            let hello = try second.nextGranting()
            #expect(hello.topic == "homeport/v1/home-1/hello")
            #expect(try HelloMessage(payload: hello.payload()).spread == .seconds(1))
            broker.signal()
            _ = second.readToEnd()
        }
    }

    @Test func withoutTheFenceTheDevicesAreAskedAndTheListMayBeIncomplete() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let (recorder, _) = channel.startRecording()
                async let result = replay(channel)
                await broker.signalled()
                await clock.pass(.seconds(5))
                await broker.signalled()
                await clock.pass(.seconds(1))
                await clock.pass(.milliseconds(500))
                let completeness = try await result.get()
                #expect(completeness == .incomplete("timed out waiting for retained messages"))
                #expect(recorder.names(of: "a") == ["presence"])
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            #expect(try peer.nextGranting().topic == "homeport/v1/home-1/fence")
            try peer.say("a", "presence", Array(announcement("a")[1].payload.utf8))
            try peer.acceptSubscribes(1)
            broker.signal()
            try peer.awaitHello()
            broker.signal()
            while try peer.nextGranting().kind != .disconnect {}
        }
    }

    @Test func aRefusedFenceIsNotWaitedFor() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                async let survey = channel.survey()
                await broker.signalled()
                await clock.pass(.seconds(1))
                await clock.pass(.milliseconds(500))
                guard case .incomplete = try await survey.completeness else {
                    Issue.record("nobody knows whether it is complete")
                    return
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.awaitHello(butNot: "/fence")
            broker.signal()
            while try peer.nextGranting().kind != .disconnect {}
        }
    }

    @Test func aLinkThatIsLostEndsTheReplay() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                _ = channel.startRecording()
                let result = await replay(channel)
                if case .success(.complete) = result { Issue.record("the fence did not return") }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.nextGranting()
            peer.cut()
        }
    }

    @Test func aReplayGoesOnWhenAnotherObserverEnds() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                let scope = HomeScope.device(device("a"))
                let (_, other) = channel.startRecording(scope)
                _ = channel.startRecording(scope)
                let completeness = try await channel.replay(scope) {
                    other.cancel()
                    broker.proceed()
                }
                #expect(completeness == .complete)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            try peer.returnFence()
            _ = peer.readToEnd()
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
            let (_, observation) = channel.startRecording()
            let error = await #expect(throws: CommunicationError.self) {
                try await channel.replay(home, .everyDevice)
            }
            #expect(error?.code == .notConnected)
            observation.cancel()
        }
    }
}

extension MosquittoChannel {
    /// Replays a part of the home; `body` runs when the replay waits for the broker.
    fileprivate func replay(
        _ scope: HomeScope, then body: @escaping @Sendable () -> Void
    ) async throws -> ReplayCompleteness {
        eventLoop.execute { body() }
        return try await replay(home, scope) { [] }
    }
}

extension FakeBrokerPeer {
    /// Grants everything, but not the filters that end so, until a hello comes, and acknowledges it. Fences
    /// are swallowed.
    fileprivate func awaitHello(butNot suffix: String = "nothing") throws {
        var packet = try nextGranting(butNot: suffix)
        while packet.kind != .publish || packet.topic.hasSuffix("/fence") {
            packet = try nextGranting(butNot: suffix)
        }
        #expect(packet.topic == "homeport/v1/home-1/hello")
        try send(.puback(packet.publishIdentifier))
    }

    /// Grants everything until a fence comes, and sends it back.
    fileprivate func returnFence() throws {
        var fence = try nextGranting()
        while fence.kind == .unsubscribe { fence = try nextGranting() }
        try send(.publish(version, topic: fence.topic, payload: fence.payload()))
    }
}
