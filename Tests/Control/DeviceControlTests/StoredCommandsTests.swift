import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@testable import DeviceControl

/// Which commands the ledger alone has, by their order and their times.
@Suite struct StoredCommandsTests {
    private var stored = StoredCommands()
    private var generator = SeededGenerator(seed: 3)

    @Test mutating func aPageHasTheLowestSequencesOfItsLane() {
        for sequence in [5, 1, 4, 2, 3] { insert(sequence) }
        insert(6, in: .urgent)
        #expect(stored.page(of: .normal, limit: 3).map(\.sequence) == [1, 2, 3])
        #expect(stored.page(of: .normal, after: 3, limit: 3).map(\.sequence) == [4, 5])
        #expect(stored.page(of: .urgent, limit: 3).map(\.sequence) == [6])
        #expect(stored.firstSequence(in: .normal) == 1)
        #expect(stored.count == 6)
    }

    @Test mutating func whatIsRemovedIsNotThere() {
        for sequence in 1...3 { insert(sequence) }
        stored.remove(2, in: .normal)
        stored.remove(2, in: .normal)
        stored.remove(1, in: .urgent)
        #expect(stored.page(of: .normal, limit: 9).map(\.sequence) == [1, 3])
        #expect(!stored.contain(2, in: .normal) && stored.contain(3, in: .normal))
        for sequence in [1, 3] { stored.remove(sequence, in: .normal) }
        #expect(stored.isEmpty)
        #expect(stored.nextExpiry == nil)
        #expect(stored.firstSequence(in: .normal) == nil)
    }

    @Test mutating func whatHasExpiredIsFoundInEachLane() {
        insert(1, expiry: 30)
        insert(2, expiry: 10)
        insert(3, in: .urgent, expiry: 20)
        #expect(stored.nextExpiry == .seconds(10))
        let expired = stored.findExpired(at: .seconds(20))
        #expect(expired[.normal]?.map(\.sequence) == [2])
        #expect(expired[.urgent]?.map(\.sequence) == [3])
        #expect(stored.nextExpiry == .seconds(30))
        #expect(stored.count == 3, "they are removed when they are followed")
    }

    private mutating func insert(
        _ sequence: Int, in lane: CommandLane = .normal, expiry seconds: Int = 600
    ) {
        let id = CommandID(at: Timestamp(milliseconds: 0), using: &generator)
        stored.insert(
            StoredCommands.Entry(id: id, sequence: sequence, expiry: .seconds(seconds)), in: lane)
    }
}
