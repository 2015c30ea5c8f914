import Basics
import Connectivity
import DeviceDomain
import Testing

@Suite struct ChannelListenersTests {
    private let home = HomeID.literal("home-1")
    private let lamp = DeviceID.literal("lamp-1")
    private let other = DeviceID.literal("lamp-2")
    private let listeners = ChannelListeners(
        of: .literal("attic"), in: HomeID.literal("home-1"))
    private let heard = Heard()

    private var contents: [DeviceObservation.Content] { heard.observations.map(\.content) }

    private func online(_ device: DeviceID) -> DeviceUpdate {
        DeviceUpdate(device: device, content: .presence(Presence(.online)))
    }

    private func observe(_ scope: HomeScope, knowing known: [DeviceUpdate] = [])
        -> ChannelObservation
    {
        listeners.observation(of: home) { id in
            listeners.begin(id, observing: scope, knowing: known) { [heard] in heard.take($0) }
        }
    }

    @Test func whatIsKnownComesFirstAndNothingAfterTheEnd() {
        let observation = observe(.device(lamp), knowing: [online(lamp)])
        listeners.deliver(.unknownPresence(of: lamp))
        listeners.deliver(online(other))
        observation.cancel()
        listeners.deliver(online(lamp))
        #expect(contents == [.presence(Presence(.online)), .cleared(.presence)])
        #expect(heard.observations.first?.home == home)
    }

    @Test func aListenerThatHasEndedDoesNotBegin() {
        let id = listeners.expect()
        listeners.end(id)
        listeners.begin(id, observing: .everyDevice, knowing: [online(lamp)]) {
            [heard] observation in
            heard.take(observation)
        }
        listeners.deliver(online(lamp))
        #expect(contents.isEmpty)
        #expect(!listeners.isObserved(.device(lamp)))
    }

    @Test func anotherHomeHearsNothingAndHasNoConversation() {
        let observation = listeners.observation(of: .literal("home-2")) { _ in
            Issue.record("it begins in another home")
        }
        observation.cancel()
        let error = #expect(throws: CommunicationError.self) {
            try listeners.checkHome(.literal("home-2"))
        }
        #expect(error?.code == .cannotExpress && error?.certainty == .neverLeft)
        #expect(throws: Never.self) { try listeners.checkHome(home) }
    }

    @Test func samplesAreLeftOutForAnObserverWithoutTelemetry() {
        let observation = observe(.everyDeviceWithoutTelemetry)
        listeners.deliver(
            DeviceUpdate(device: lamp, content: .telemetry(TelemetryReport(["powerW": 5]))))
        listeners.deliver(online(lamp))
        observation.cancel()
        #expect(contents == [.presence(Presence(.online))])
    }

    @Test func aConversationHearsItsDeviceOnceAndEndsWithTheChannel() async {
        let (stream, source) = ObservationStream.make(.dropOldest(limit: 10))
        let id = listeners.expect()
        listeners.begin(id, with: lamp, knowing: [online(lamp)], source)
        listeners.begin(id, with: lamp, knowing: [online(lamp)], source)
        #expect(listeners.heardScope == .device(lamp))
        listeners.deliver(online(other))
        listeners.finish()
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 1)
        #expect(listeners.heardScope == nil)
    }

    @Test func whatIsHeardIsTheUnionOfObserversAndConversations() {
        let (_, source) = ObservationStream.make(.dropOldest(limit: 10))
        listeners.begin(listeners.expect(), with: lamp, knowing: [], source)
        let observation = observe(.device(other))
        #expect(listeners.heardScope == .devices([lamp, other]))
        #expect(listeners.isObserved(.device(other)))
        #expect(!listeners.isObserved(.devices([lamp, other])))
        observation.cancel()
        #expect(listeners.heardScope == .device(lamp))
    }

    @Test func aLateStreamOfTheLinkHasItsLastStateAndEnds() async {
        let links = LinkAnnouncements()
        let early = links.states()
        links.announce(.connected)
        let error = CommunicationError(.closed, "the channel was closed")
        links.close(as: .lost(error, retryIn: nil))
        links.announce(.connected)
        var states: [Bool] = []
        for await state in early { states.append(state.isConnected) }
        #expect(states == [false, true])
        states = []
        for await state in links.states() { states.append(state.isConnected) }
        #expect(states == [false])
    }
}

/// What an observer was told, in order.
private final class Heard: Sendable {
    private let state = Guarded<[DeviceObservation]>([])

    var observations: [DeviceObservation] { state.withLock { $0 } }

    func take(_ observation: DeviceObservation) { state.withLock { $0.append(observation) } }
}
