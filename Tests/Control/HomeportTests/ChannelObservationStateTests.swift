import Basics
import Connectivity
import DeviceDomain
import Testing

@testable import Homeport

/// What is observed over a channel, whatever the order in which observations begin.
@Suite struct ChannelObservationStateTests {
    private let state = Subject()
    private let first = FutureValue<Void>()
    private let second = FutureValue<Void>()
    private let sweeper = HomeScope.device(.literal("sweeper-1"))
    private let store = HomeScope.device(.literal("store-1"))

    @Test func whatIsObservedIsNotObservedAgain() {
        #expect(state.begin(.everyDevice, first) == .everyDevice)
        #expect(state.begin(sweeper, second) == nil)
        #expect(state.begin(.everyDevice, second) == nil)
        #expect(state.value.beginnings.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
        #expect(state.began(.none, of: .everyDevice, first).isEmpty)
        #expect(state.value.beginnings.isEmpty)
    }

    @Test func theWholeHomeEndsTheObservationOfItsParts() {
        let ended = Ended()
        #expect(state.begin(sweeper, first) == sweeper)
        #expect(state.began(ended.observation, of: sweeper, first).isEmpty)
        #expect(state.begin(store, first) == store)
        #expect(state.began(ended.observation, of: store, first).isEmpty)
        #expect(state.begin(.everyDevice, second) == .everyDevice)
        #expect(state.began(.none, of: .everyDevice, second).count == 2)
    }

    /// Two callers decide one after the other, and the second one is done first.
    @Test(arguments: [HomeScope.device(.literal("sweeper-1")), .everyDeviceWithoutTelemetry])
    func aNarrowerOneThatBeginsLateEndsAtOnce(narrow: HomeScope) {
        let (wide, late) = (Ended(), Ended())
        #expect(state.begin(narrow, first) == narrow)
        #expect(state.begin(.everyDevice, second) == .everyDevice)
        #expect(state.began(wide.observation, of: .everyDevice, second).isEmpty)
        for observation in state.began(late.observation, of: narrow, first) { observation.cancel() }
        #expect(late.count == 1)
        #expect(wide.count == 0)
    }

    @Test func aLostLinkIsReplayedAgain() {
        #expect(state.begin(.everyDevice, first) != nil)
        state.value.note(.uncertain("the list was cut"), of: .everyDevice)
        #expect(state.value.completeness(of: .everyDevice) == .uncertain("the list was cut"))
        #expect(state.value.isDoubtful)
        state.value.forgetDoubtfulReplay()
        #expect(state.value.completeness(of: .everyDevice) == nil)
        state.value.note(.complete, of: .everyDevice)
        state.value.forgetDoubtfulReplay()
        #expect(state.value.completeness(of: .everyDevice) == .complete)
        state.value.note(.uncertain("the list was cut"), of: .everyDevice)
        #expect(state.value.completeness(of: sweeper) == .complete)
        #expect(state.apply(.connecting))
        #expect(state.value.completeness(of: sweeper) == nil)
        state.value.note(.complete, of: .everyDevice)
        #expect(state.value.completeness(of: .everyDevice) == .complete)
    }

    @Test func aFailureToOpenIsKnownUntilTheLinkWorks() {
        state.value.openingFailure = CommunicationError(.unreachable, "no broker")
        #expect(!state.apply(.connecting))
        #expect(state.value.openingFailure != nil)
        #expect(!state.apply(.connected))
        #expect(state.value.openingFailure == nil)
    }
}

/// The state as its owner has it.
private final class Subject {
    var value = ChannelObservationState()

    func begin(_ scope: HomeScope, _ beginning: FutureValue<Void>) -> HomeScope? {
        value.begin(scope, beginning)
    }

    func began(
        _ observation: ChannelObservation, of part: HomeScope, _ beginning: FutureValue<Void>
    ) -> [ChannelObservation] {
        value.began(observation, of: part, beginning)
    }

    func apply(_ link: LinkState) -> Bool { value.apply(link) }
}

/// Counts how often observations ended.
private final class Ended: Sendable {
    private let ends = Guarded(0)

    var count: Int { ends.withLock { $0 } }
    var observation: ChannelObservation {
        ChannelObservation { self.ends.withLock { $0 += 1 } }
    }
}

extension ChannelObservation {
    fileprivate static var none: ChannelObservation { ChannelObservation {} }
}
