import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

/// What becomes of a command where a channel cannot report or promise everything.
@Suite struct LifecycleTraitsTests {
    @Test func withoutRecognitionNothingThatMayHaveLeftIsSentAgain() throws {
        var bench = try LifecycleBench.inState(.sending, traits: .all(but: .deduplication))
        #expect(bench.handle(.sendEnded(.mayHaveLeft("broken"))) == [.record, .ask])
        #expect(bench.state == .unknown)
        #expect(bench.lifecycle.progress.message == "broken")
        bench.handle(.answer(.none("")), .reach(.reachable))
        for _ in 0..<5 { #expect(!bench.passToNextWake().contains { $0.isPublish }) }
        bench.handle(.evidence(bench.ack(.succeeded, n: 2)))
        #expect(bench.state == .succeeded)
    }

    @Test(arguments: [ChannelTraits([.delivery, .effect]), [.delivery, .acceptance, .effect]])
    func withoutQueriesTheEffectOfWhatMayHaveLeftIsAwaited(_ traits: ChannelTraits) throws {
        var bench = try LifecycleBench.inState(.sending, sort: .setting, traits: traits)
        bench.handle(.sendEnded(.mayHaveLeft("broken")))
        #expect(bench.state == .sending)
        #expect(bench.lifecycle.progress.timings.sentAt == nil, "nothing has confirmed it")
        for reach in [Reach.linkDown(""), .offline, .reachable] {
            #expect(!bench.handle(.reach(reach)).contains { $0.isPublish })
        }
        #expect(bench.lifecycle.nextWake == .seconds(30), "only the expiry is left")
        var unseen = bench
        #expect(!unseen.pass(.seconds(30)).contains { $0.isPublish })
        #expect(unseen.state == .unknown)
        #expect(unseen.lifecycle.progress.message.hasSuffix("in time: broken"))
        #expect(!unseen.lifecycle.progress.message.contains("was sent"))
        bench.handle(.evidence(bench.readBack()))
        #expect(bench.state == .succeeded)
    }

    @Test func whereNothingIsEverHeardWhatMayHaveLeftIsUnknownAtOnce() throws {
        var bench = try LifecycleBench.inState(.sending, traits: [.delivery])
        bench.handle(.sendEnded(.mayHaveLeft("broken")))
        #expect(bench.state == .unknown)
    }

    @Test func withoutQueriesWhatMayHaveLeftIsNotSentByTheNextProcess() throws {
        var bench = try LifecycleBench.inState(.sending, traits: [.delivery, .effect])
        bench.handle(.sendEnded(.mayHaveLeft("broken")))
        bench = bench.afterCrash()
        #expect(!bench.handle(.adopted(.reachable)).contains { $0.isPublish })
        #expect(bench.state == .unknown)
    }

    @Test func withoutRecognitionAConfirmedCommandIsNotSentAgain() throws {
        var bench = try LifecycleBench.inState(.sent, traits: .all(but: .deduplication))
        #expect(bench.lifecycle.nextWake == .seconds(30), "only the expiry is left")
        bench.handle(.reach(.offline), .reach(.reachable))
        #expect(bench.lifecycle.nextWake == .seconds(30))
    }

    @Test func withoutRecognitionWhatNeverLeftIsTriedAgain() throws {
        var bench = try LifecycleBench.inState(.sending, traits: .all(but: .deduplication))
        bench.handle(.sendEnded(.neverLeft("no link")))
        #expect(bench.state == .queued)
        #expect(bench.passToNextWake() == [.record, .publish(attempt: 1)])
    }

    @Test(arguments: CommandSort.allCases)
    func withoutAcceptanceSentIsTheLastCertainState(_ sort: CommandSort) throws {
        var bench = try LifecycleBench.inState(.sent, sort: sort, traits: [.delivery, .effect])
        #expect(bench.lifecycle.nextWake == .seconds(30), "nothing is sent again")
        bench.pass(.seconds(29))
        #expect(bench.state == .sent)
        bench.pass(.seconds(1))
        #expect(bench.state == .unknown)
        #expect(bench.lifecycle.progress.message.contains("effect was not seen"))
    }

    @Test func aReadBackEndsASettingSucceededAndObserved() throws {
        var bench = try LifecycleBench.inState(.sent, sort: .setting, traits: [.delivery, .effect])
        #expect(bench.handle(.evidence(bench.readBack())) == [.record])
        #expect(bench.state == .succeeded)
        #expect(bench.lifecycle.progress.timings.observedAt == bench.moment.wall)
        #expect(bench.lifecycle.progress.timings.finalAt == bench.moment.wall)
    }

    @Test func aReadBackResolvesUnknown() throws {
        var bench = try LifecycleBench.inState(
            .unknown, sort: .setting, traits: [.delivery, .effect])
        bench.handle(.evidence(bench.readBack()))
        #expect(bench.state == .succeeded)
    }

    @Test func aBridgeMayFailACommandAndItsAcceptanceIsHeard() throws {
        var bench = try LifecycleBench.inState(.sent, traits: [.delivery, .acceptance])
        bench.handle(.evidence(bench.ack(.accepted, n: nil, source: .bridge)))
        #expect(bench.state == .accepted)
        bench.handle(.evidence(bench.ack(.failed, n: nil, code: .hardwareFault, source: .bridge)))
        #expect(bench.state == .failed)
        #expect(bench.lifecycle.progress.code == .hardwareFault)
    }

    @Test func aReadBackAfterTheEndOnlyAddsTheObservation() throws {
        var bench = try LifecycleBench.inState(.succeeded)
        bench.moment.wall = bench.moment.wall.advanced(by: .seconds(3))
        #expect(bench.handle(.evidence(bench.readBack())) == [.record])
        #expect(bench.lifecycle.progress.timings.observedAt == bench.moment.wall)
        #expect(bench.handle(.evidence(bench.readBack())) == [])
    }

    @Test func withoutRevisionsAStateObservesNothing() throws {
        var bench = try LifecycleBench.inState(.running)
        bench.handle(.evidence(bench.ack(.succeeded, n: nil, revision: nil)))
        bench.handle(.state(revision: 99))
        #expect(!bench.lifecycle.isObserved)
    }

    @Test func withoutDeliveryAReceiptProvesNothing() throws {
        var bench = try LifecycleBench.inState(.sending, traits: [.effect])
        bench.handle(.sendEnded(.receipt(.confirmed)))
        #expect(bench.state == .sending)
        #expect(bench.lifecycle.progress.mayHaveLeft)
        #expect(bench.lifecycle.progress.timings.sentAt == nil)
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown)
    }

    @Test func withoutDeliveryACommandWithoutAnswerIsSentAgain() throws {
        var bench = try LifecycleBench.inState(.sending, traits: .all(but: .delivery))
        bench.handle(.sendEnded(.receipt(.confirmed)))
        #expect(bench.passToNextWake() == [.record, .publish(attempt: 2)])
        bench.handle(.evidence(bench.ack(.accepted)))
        #expect(bench.state == .accepted)
    }

    @Test func withoutAskingASilentActionIsUnknown() throws {
        var bench = try LifecycleBench.inState(.running, traits: .all(but: .asking))
        #expect(bench.pass(.seconds(60)) == [.record])
        #expect(bench.state == .unknown)
        #expect(bench.lifecycle.progress.message.contains("has not reported progress"))
        bench.handle(.evidence(bench.ack(.progress, n: 5)))
        #expect(bench.state == .running, "late evidence resolves it")
    }

    @Test(arguments: [CommandState.sent, .accepted, .running])
    func withoutAskingWhatTheLinkOrTheDeviceSaidHoldsAfterARestart(_ state: CommandState) throws {
        var bench = try LifecycleBench.inState(state, traits: .all(but: .asking)).afterCrash()
        #expect(bench.handle(.adopted(.reachable)) == [])
        #expect(bench.state == state)
        bench.pass(.seconds(60))
        #expect(bench.state == .unknown)
    }

    // MARK: Why it waits

    @Test func aWaitingCommandSaysWhyAndForgetsItWhenItLeaves() throws {
        var bench = try LifecycleBench()
        bench.handle(.enqueued(.linkDown("the broker refuses the subscription")))
        #expect(bench.lifecycle.progress.message == "the broker refuses the subscription")
        #expect(bench.handle(.reach(.linkDown("the broker refuses the subscription"))) == [])
        bench.handle(.reach(.offline))
        #expect(bench.lifecycle.progress.message == "robot-1 is offline")
        bench.handle(.reach(.reachable))
        #expect(bench.lifecycle.progress.message == "")
    }

    @Test func anExpiredCommandSaysWhyItCouldNotBeSent() throws {
        var bench = try LifecycleBench()
        bench.handle(.enqueued(.linkDown("the broker refuses the subscription")))
        bench.pass(.seconds(30))
        #expect(bench.state == .expired)
        #expect(
            bench.lifecycle.progress.message
                == "the command could not be sent in time: the broker refuses the subscription")
    }

    @Test func whatMayHaveLeftIsNotRefused() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.handle(.sendEnded(.mayHaveLeft("broken")), .reach(.refused(.forbidden, "no")))
        #expect(bench.state == .queued)
        #expect(bench.lifecycle.progress.message == "no")
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown)
    }

    // MARK: The lane

    @Test func whatStillWaitsForItsTurnNeverLeft() throws {
        var bench = try LifecycleBench()
        bench.isLaneFree = false
        #expect(bench.handle(.enqueued(.reachable)) == [.record, .getInLine])
        #expect(bench.state == .sending)
        #expect(bench.lifecycle.place == .ready)
        bench.pass(.seconds(30))
        #expect(bench.state == .expired, "it never left, so it did not run")
        #expect(bench.lifecycle.progress.sends == 0)
        #expect(bench.takeTurn() == [])
    }

    @Test func atItsTurnACommandThatHasExpiredIsNotSent() throws {
        var bench = try LifecycleBench()
        bench.isLaneFree = false
        bench.handle(.enqueued(.reachable))
        bench.moment.elapsed += .seconds(30)
        #expect(bench.takeTurn() == [])
    }

    @Test func aDeviceThatLeavesSendsTheCommandBackFromTheLane() throws {
        var bench = try LifecycleBench()
        bench.isLaneFree = false
        bench.handle(.enqueued(.reachable))
        #expect(bench.handle(.reach(.offline)) == [.record])
        #expect(bench.state == .queued)
        #expect(bench.lifecycle.place == .waiting)
        #expect(bench.takeTurn() == [])
        #expect(bench.handle(.reach(.reachable)) == [.record, .getInLine])
        #expect(bench.takeTurn() == [.publish(attempt: 1)])
    }

    @Test func aSendThatWasGivenUpAndDidNotLeaveIsExpiredAndNotUnknown() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown)
        bench.handle(.sendEnded(.neverLeft("no link")))
        #expect(bench.state == .expired)
    }

    // MARK: Answers

    @Test func anAnswerThatCannotBeUsedDoesNotLeaveTheQuestionOpen() throws {
        var bench = try LifecycleBench.inState(.running)
        bench.pass(.seconds(60))
        let other = try DeviceID("robot-2")
        let foreign = bench.ack(.succeeded, n: 2, device: other)
        let actions = bench.handle(.answer(.told(.known(foreign))))
        #expect(actions.anomalies == [.foreignDevice])
        #expect(bench.state == .unknown)
    }

    // MARK: The log

    @Test func theLogSaysWhatCausedAChange() throws {
        var bench = try LifecycleBench.inState(.queued)
        let before = bench.lifecycle.progress
        bench.handle(.reach(.reachable))
        let log = bench.lifecycle.log(of: .reach(.reachable), since: before, at: bench.moment)
        #expect(log.map(\.kind) == [.reach, .sent])
        #expect(log.map(\.cause) == ["robot-1 can be reached", "attempt 1"])
        #expect(log.map(\.state) == [nil, .sending])
        #expect(log.last?.detail == ["attempt": 1])
    }

    @Test func theLogKeepsTheBytesOfEvidence() throws {
        var bench = try LifecycleBench.inState(.sent)
        let before = bench.lifecycle.progress
        var ack = bench.ack(.succeeded, revision: 5)
        ack.raw = [1, 2, 3]
        bench.handle(.state(revision: 5), .evidence(ack))
        let log = bench.lifecycle.log(of: .evidence(ack), since: before, at: bench.moment)
        #expect(log.map(\.kind) == [.evidence, .observed])
        #expect(log.first?.raw == [1, 2, 3])
        #expect(log.last?.state == .succeeded)
    }
}
