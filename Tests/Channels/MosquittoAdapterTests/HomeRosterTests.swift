import Connectivity
import DeviceDomain
import Testing

@testable import MosquittoAdapter

@Suite struct HomeRosterTests {
    private var roster = HomeRoster()

    private mutating func replayPresences(_ count: Int) {
        for number in 1...count {
            roster.record(device("d-\(number)"), .presence, isReplayed: true)
        }
    }

    @Test mutating func noPresencesOrTooManyAreNoCompleteList() {
        #expect(!roster.isReplayConclusive)
        // A live presence was not replayed.
        roster.record(device("a"), .presence, isReplayed: false)
        #expect(roster.replayed.isEmpty)
        replayPresences(500)
        #expect(roster.isReplayConclusive)
        roster.record(device("one-more"), .presence, isReplayed: true)
        #expect(!roster.isReplayConclusive)
        #expect(roster.replayed.count == 501)
    }

    /// Only a device that the broker's first list lacked shows that the broker leaves some out.
    @Test mutating func whatTheSecondLookFindsBesideTheFirstIsNamed() {
        replayPresences(501)
        let first = roster.replayed
        roster.record(device("d-7"), .presence, isReplayed: false)
        roster.record(device("talker"), .telemetry, isReplayed: false)
        #expect(roster.devices(missedBy: first).isEmpty)
        roster.record(device("left-out"), .presence, isReplayed: true)
        #expect(roster.devices(missedBy: first) == [device("left-out")])
    }

    @Test mutating func aDeviceIsIncompleteUntilAllItsPartsWereReceived() {
        #expect(roster.incomplete(in: .everyDevice).isEmpty)
        roster.record(device("b"), .telemetry, isReplayed: false)
        roster.record(device("a"), .presence, isReplayed: true)
        let missing = roster.incomplete(in: .everyDevice)
        #expect(missing.map(\.device) == [device("a"), device("b")])
        #expect(missing.map(\.missing) == [[.description, .state], .all])
        #expect(roster.incomplete(in: .device(device("b"))).count == 1)
        for part in [DevicePart.description, .state] {
            roster.record(device("a"), part, isReplayed: true)
        }
        #expect(roster.incomplete(in: .everyDevice).map(\.device) == [device("b")])
    }

    @Test mutating func onlyAnObserverOfTheWholeHomeNeedsSubscriptionsPerDevice() {
        #expect(!roster.needsSubscription(device("a")))
        roster.add(.device(device("a")))
        #expect(!roster.needsSubscription(device("a")))
        roster.add(.everyDevice)
        #expect(roster.needsSubscription(device("a")))
    }

    @Test mutating func aLargeHomeNeedsOneHelloPerNewConnection() {
        roster.add(.everyDevice)
        replayPresences(501)
        #expect(!roster.needsHello)
        roster.connectionLost()
        // Without subscriptions of their own the devices are forgotten, so the home counts as small.
        #expect(!roster.needsHello)
        replayPresences(501)
        #expect(roster.needsHello)
        roster.helloSent()
        #expect(!roster.needsHello)
    }
}
