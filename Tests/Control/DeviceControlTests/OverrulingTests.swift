import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

/// A command that a later `stop` contradicts never reaches the device after that one.
@Suite struct OverrulingTests {
    @Test(arguments: [CommandState.queued, .sending])
    func whatHasNotLeftIsSuperseded(_ state: CommandState) throws {
        var bench = try LifecycleBench.inState(.queued)
        bench.isLaneFree = false
        if state == .sending { bench.handle(.reach(.reachable)) }
        #expect(bench.state == state)
        #expect(bench.handle(.overruled(by: .stop)) == [.record])
        #expect(bench.state == .superseded)
        #expect(bench.lifecycle.progress.code == .superseded)
        #expect(bench.lifecycle.progress.sends == 0)
        #expect(bench.takeTurn() == [], "its turn in the lane comes too late")
    }

    @Test func whatTheLinkHasIsNotSentAgainButAskedAbout() throws {
        var bench = try LifecycleBench.inState(.sent)
        #expect(bench.handle(.overruled(by: .stop)) == [])
        #expect(bench.state == .sent, "its answer is awaited first")
        #expect(bench.passToNextWake() == [.ask])
        bench.handle(.answer(.told(.never)))
        #expect(bench.state == .superseded)
        #expect(bench.lifecycle.progress.message == "a later stop took its place")
    }

    @Test func whatTheDeviceHadEndsAsTheDeviceSays() throws {
        var bench = try LifecycleBench.inState(.sent)
        bench.handle(.overruled(by: .stop))
        bench.passToNextWake()
        bench.handle(.answer(.told(.known(bench.ack(.cancelled, n: 2, code: .cancelled)))))
        #expect(bench.state == .cancelled)
    }

    @Test func aSendUnderWayThatNeverLeavesIsSuperseded() throws {
        var bench = try LifecycleBench.inState(.sending)
        #expect(bench.handle(.overruled(by: .stop)) == [])
        #expect(bench.handle(.sendEnded(.neverLeft("no link"))) == [.record])
        #expect(bench.state == .superseded)
    }

    @Test func aSendUnderWayThatMayHaveLeftIsAskedAbout() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.handle(.overruled(by: .stop))
        #expect(bench.handle(.sendEnded(.mayHaveLeft("broken"))) == [.record, .ask])
        for _ in 0..<5 { #expect(!bench.passToNextWake().contains { $0.isPublish }) }
    }

    @Test func afterAPauseItIsAskedAbout() throws {
        var bench = try LifecycleBench.inState(.sent)
        bench.handle(.reach(.offline), .overruled(by: .stop), .reach(.reachable))
        #expect(bench.passToNextWake() == [.ask])
    }

    @Test(arguments: [CommandState.accepted, .running, .succeeded, .unknown, .expired])
    func whatTheDeviceHasIsLeftToIt(_ state: CommandState) throws {
        var bench = try LifecycleBench.inState(state)
        #expect(bench.handle(.overruled(by: .stop)) == [])
        #expect(bench.state == state)
    }

    @Test func withoutAskingItIsNotSentAgainAndEndsUnknown() throws {
        var bench = try LifecycleBench.inState(.sent, traits: .all(but: .asking))
        bench.handle(.overruled(by: .stop))
        for _ in 0..<5 { #expect(!bench.passToNextWake().contains { $0.isPublish }) }
        #expect(bench.state == .unknown)
    }

    @Test func theLedgersWordHolds() throws {
        var bench = try LifecycleBench.inState(.queued)
        var progress = bench.lifecycle.progress
        progress.step += 1
        progress.state = .superseded
        #expect(bench.handle(.withdrawn(progress)) == [], "it is written down already")
        #expect(bench.state == .superseded)
        #expect(bench.lifecycle.nextWake == nil)
        #expect(bench.handle(.reach(.reachable)) == [])
    }

    @Test func anEarlierWordOfTheLedgerIsNoNews() throws {
        var bench = try LifecycleBench.inState(.sent)
        var progress = bench.lifecycle.progress
        progress.step -= 1
        progress.state = .superseded
        bench.handle(.withdrawn(progress))
        #expect(bench.state == .sent)
    }
}
