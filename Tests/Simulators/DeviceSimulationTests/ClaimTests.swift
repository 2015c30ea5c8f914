import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// A device that came into its home by a claim (PROVISIONING, "The claim").
@Suite struct ClaimTests {
    private func bench() throws -> DeviceBench {
        try DeviceBench("sweeper-s1", claim: ClaimNonce(rawValue: "n-1"))
    }

    private func commit(_ nonce: JSONValue) throws -> Order {
        try Order("commit-claim", ["nonce": nonce])
    }

    @Test func itsPresenceNamesTheClaimUntilThatIsCommitted() throws {
        var bench = try bench()
        #expect(bench.log.presences.map(\.report.claim?.rawValue) == ["n-1"])
        #expect(bench.device.will.report.claim == nil)
        let committed = bench.give(try commit("n-1"))
        #expect(committed.acks.map(\.stage) == [.accepted, .succeeded])
        #expect(committed.presences.map(\.report.claim) == [nil])
        #expect(bench.journal.committedClaim?.rawValue == "n-1")
        try bench.restart()
        #expect(bench.log.presences.last?.report.claim == nil)
    }

    @Test func theCommitIsRecordedBeforeItIsAnswered() throws {
        var bench = try bench()
        let outline = bench.give(try commit("n-1"))
        let recorded = outline.firstIndex {
            if case .record(.committed) = $0 { true } else { false }
        }
        let answered = outline.firstIndex {
            if case .publish(.ack(let ack, _), _) = $0 { ack.isFinal } else { false }
        }
        #expect(try #require(recorded) < (try #require(answered)))
    }

    @Test func aRepeatedCommitSucceedsWithoutEffect() throws {
        var bench = try bench()
        bench.give(try commit("n-1"))
        let again = bench.give(try commit("n-1"))
        #expect(again.acks.last?.stage == .succeeded)
        #expect(again.presences.isEmpty)
    }

    @Test func anotherClaimIsNotCommitted() throws {
        var bench = try bench()
        #expect(bench.give(try commit("n-2")).acks.map(\.code) == [.wrongState])
        for nonce: JSONValue in ["", 7, .string(String(repeating: "x", count: 65))] {
            #expect(bench.give(try commit(nonce)).acks.map(\.code) == [.badArguments])
        }
        #expect(bench.journal.committedClaim == nil)
    }

    @Test func onlyAClaimedDeviceKnowsTheCommand() throws {
        let claimed = try bench()
        #expect(claimed.device.description.commands.contains(.commitClaim))
        var other = try DeviceBench("sweeper-s1")
        #expect(!other.device.description.commands.contains(.commitClaim))
        #expect(other.log.presences.map(\.report.claim) == [nil])
        #expect(other.give(try commit("n-1")).acks.map(\.code) == [.unknownCommand])
    }

    @Test func aNewClaimHasToBeCommittedAnew() throws {
        var first = try bench()
        first.give(try commit("n-1"))
        let second = try DeviceBench(
            "sweeper-s1", claim: ClaimNonce(rawValue: "n-2"), restoring: first.journal)
        #expect(second.log.presences.map(\.report.claim?.rawValue) == ["n-2"])
    }

    @Test func theCommitSurvivesCompaction() throws {
        var bench = try bench()
        bench.give(try commit("n-1"))
        var folded = DeviceJournalState()
        for record in bench.journal.records { folded.apply(record) }
        #expect(folded == bench.journal)
    }
}
