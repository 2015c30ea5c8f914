import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceControl

/// Commands that nobody looks after any more although their state is not final (PROTOCOL section 4).
@Suite struct LifecycleClosingTests {
    private static let traits: ChannelTraits = [.delivery, .effect, .order]

    @Test func sentIsTheEndWhereNothingCanShowTheEffect() throws {
        var bench = try closed()
        #expect(bench.state == .sent)
        #expect(bench.lifecycle.progress.isClosed)
        #expect(!bench.lifecycle.progress.isOpen)
        #expect(bench.lifecycle.progress.message.contains("cannot be read"))
        #expect(bench.lifecycle.nextWake == nil)
        #expect(!bench.lifecycle.isAnswerDue)
        bench.pass(.seconds(3_600))
        #expect(bench.state == .sent, "no proof was due, so its absence proves nothing")
    }

    @Test(arguments: WaitGoal.allCases)
    func everyWaitEndsWithIt(_ goal: WaitGoal) throws {
        #expect(goal.isReached(by: try closed().lifecycle))
    }

    @Test(arguments: [AckStage.succeeded, .failed])
    func aReportThatComesAllTheSameDecides(_ stage: AckStage) throws {
        var bench = try closed()
        bench.handle(.evidence(bench.readBack(stage)))
        #expect(bench.state.rawValue == stage.rawValue)
        #expect(!bench.lifecycle.progress.isClosed)
    }

    @Test func whereTheEffectCanBeSeenTheAbsenceOfAReportIsUnknown() throws {
        var bench = try LifecycleBench.inState(.sending, sort: .setting, traits: Self.traits)
        bench.handle(.sendEnded(.receipt(.confirmed)))
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown)
    }

    @Test func anUnknownOutcomeIsPutAwayOnceAndStaysUnknown() throws {
        let bench = try LifecycleBench.inState(.unknown)
        let away = try #require(bench.lifecycle.progress.putAway(at: bench.moment.wall))
        #expect(away.state == .unknown)
        #expect(away.isPutAway)
        #expect(away.step == bench.lifecycle.progress.step + 1)
        #expect(!HistoryQuery.Stage.unknown.includes(away))
        #expect(away.putAway(at: bench.moment.wall) == nil)
    }

    @Test(arguments: CommandState.allCases.filter { $0 != .unknown && $0 != .created })
    func onlyAnUnknownOutcomeIsPutAway(_ state: CommandState) throws {
        let bench = try LifecycleBench.inState(state)
        #expect(bench.lifecycle.progress.putAway(at: bench.moment.wall) == nil)
    }

    @Test func aLateAcknowledgementOpensWhatWasPutAway() throws {
        var bench = try LifecycleBench.inState(.unknown)
        let away = try #require(bench.lifecycle.progress.putAway(at: bench.moment.wall))
        bench.handle(.withdrawn(away))
        #expect(bench.lifecycle.progress.isPutAway)
        bench.handle(.evidence(bench.ack(.progress, n: 2)))
        #expect(bench.state == .running)
        #expect(bench.lifecycle.progress.isOpen)
    }

    private func closed() throws -> LifecycleBench {
        var bench = try LifecycleBench.inState(.sending, sort: .setting, traits: Self.traits)
        bench.handle(.sendEnded(.receipt(.confirmedWithoutEvidence)))
        return bench
    }
}
