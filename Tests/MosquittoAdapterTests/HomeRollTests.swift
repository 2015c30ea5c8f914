import Connectivity
import DeviceDomain
import Testing

@testable import MosquittoAdapter

@Suite struct HomeRollTests {
    private var roll = HomeRoll()

    private mutating func replayPresences(_ count: Int) {
        for number in 1...count { roll.note(device("d-\(number)"), .presence, isReplayed: true) }
    }

    @Test mutating func noPresencesOrTooManyDoNotShowWhichDevicesThereAre() {
        #expect(!roll.isReplayConclusive)
        #expect(roll.isReplayEmpty)
        // Live ones are no replay.
        roll.note(device("a"), .presence, isReplayed: false)
        #expect(roll.isReplayEmpty)
        replayPresences(500)
        #expect(roll.isReplayConclusive)
        roll.note(device("one-more"), .presence, isReplayed: true)
        #expect(!roll.isReplayConclusive)
        #expect(!roll.isReplayEmpty)
    }

    @Test mutating func aDeviceIsIncompleteUntilAllItRetainsWasHeard() {
        #expect(roll.incomplete(in: .everyDevice).isEmpty)
        roll.note(device("b"), .telemetry, isReplayed: false)
        roll.note(device("a"), .presence, isReplayed: true)
        let missing = roll.incomplete(in: .everyDevice)
        #expect(missing.map(\.device) == [device("a"), device("b")])
        #expect(missing.map(\.missing) == [[.description, .state], .all])
        #expect(roll.incomplete(in: .device(device("b"))).count == 1)
        for part in [DevicePart.description, .state] {
            roll.note(device("a"), part, isReplayed: true)
        }
        #expect(roll.incomplete(in: .everyDevice).map(\.device) == [device("b")])
    }

    @Test mutating func onlyForAnObserverOfTheWholeHomeADeviceIsNew() {
        #expect(!roll.isNew(device("a")))
        roll.add(.device(device("a")))
        #expect(!roll.isNew(device("a")))
        roll.add(.everyDevice)
        #expect(roll.isNew(device("a")))
    }

    @Test mutating func aLargeHomeIsGreetedOncePerNewConnection() {
        roll.add(.everyDevice)
        replayPresences(501)
        #expect(!roll.isReconnected)
        roll.connectionLost()
        // Whom nobody asked for was only heard, and is forgotten.
        #expect(!roll.isReconnected)
        replayPresences(501)
        #expect(roll.isReconnected)
        roll.greeted()
        #expect(!roll.isReconnected)
    }
}
