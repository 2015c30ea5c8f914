import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

/// The rules of PROTOCOL section 4 that are about more than one event.
@Suite struct LifecycleRulesTests {
    // MARK: Waiting and sending

    @Test func aClockThatWasPutBackGivesNoMoreTimeAndNoLess() throws {
        let bench = try LifecycleBench.inState(.queued)
        let yesterday = Moment(
            wall: LifecycleBench.start.wall.advanced(by: .seconds(-86_400)), elapsed: .seconds(7))
        var later = bench.afterCrash(at: yesterday)
        later.handle(.adopted(.linkDown("")))
        #expect(later.state == .queued)
        #expect(later.lifecycle.nextWake == .seconds(37))
        later.pass(.seconds(30))
        #expect(later.state == .expired)
    }

    @Test func anOutcomeThatIsUnknownSaysWhyTheLastSendHasNoReceipt() throws {
        var bench = try LifecycleBench.inState(.queued)
        bench.handle(.reach(.reachable), .sendEnded(.mayHaveLeft("the link broke")))
        bench.handle(.reach(.linkDown("no link")))
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown)
        #expect(
            bench.lifecycle.progress.message
                == "the device did not answer in time: the link broke")
    }

    @Test func aFailFastCommandForAnOfflineDeviceIsRefusedAtOnce() throws {
        var bench = try LifecycleBench(offline: .failFast)
        #expect(bench.handle(.enqueued(.offline)) == [.record])
        #expect(bench.state == .refused)
        #expect(bench.lifecycle.progress.code == .notReady)
        #expect(bench.lifecycle.progress.timings.finalAt == bench.moment.wall)
    }

    @Test func aWaitingCommandIsSentWhenTheDeviceComesOnline() throws {
        var bench = try LifecycleBench()
        bench.handle(.enqueued(.offline))
        #expect(bench.state == .queued)
        #expect(bench.handle(.reach(.reachable)) == [.record, .publish(attempt: 1)])
        #expect(bench.handle(.reach(.reachable)) == [])
    }

    @Test func aQueuedCommandIsAboutToLeaveOnceItsDeviceIsThere() throws {
        var bench = try LifecycleBench()
        bench.handle(.enqueued(.offline))
        #expect(!bench.lifecycle.isAnswerDue)
        var adopted = bench.afterCrash()
        adopted.handle(.adopted(.offline))
        #expect(!adopted.lifecycle.isAnswerDue)
        adopted = bench.afterCrash()
        adopted.handle(.adopted(.reachable))
        #expect(adopted.lifecycle.isAnswerDue)
    }

    @Test func aCommandThatNeverLeftExpires() throws {
        var bench = try LifecycleBench()
        bench.handle(.enqueued(.offline))
        #expect(bench.lifecycle.nextWake == .seconds(30))
        bench.pass(.seconds(30))
        #expect(bench.state == .expired)
        #expect(bench.lifecycle.progress.code == .expired)
        #expect(bench.lifecycle.nextWake == nil)
    }

    @Test func aCommandThatLeftAndIsNotAnsweredIsUnknown() throws {
        var bench = try LifecycleBench.inState(.sent)
        bench.passToNextWake()
        bench.handle(.sendEnded(.receipt(.noReceiver)))
        #expect(bench.state == .queued, "PUBACK 0x10 leads back to the queue")
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown, "an earlier send may have arrived")
    }

    @Test func withoutAnyReceiverItExpires() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.handle(.sendEnded(.receipt(.noReceiver)))
        bench.handle(.reach(.offline))
        bench.pass(.seconds(30))
        #expect(bench.state == .expired)
    }

    @Test func aLinkThatBreaksOnTheWayMakesItPossiblySent() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.handle(.sendEnded(.mayHaveLeft("broken")), .reach(.linkDown("")))
        #expect(bench.state == .queued)
        #expect(bench.lifecycle.progress.mayHaveLeft)
        #expect(bench.handle(.reach(.reachable)) == [.record, .publish(attempt: 2)])
    }

    @Test func aRefusalOfTheLinkIsDefinite() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.handle(.sendEnded(.receipt(.refused(.forbidden, "the broker does not allow it"))))
        #expect(bench.state == .refused)
        #expect(bench.lifecycle.progress.code == .forbidden)
        #expect(bench.lifecycle.nextWake == nil)
    }

    @Test func aRefusalOfAResendIsNotDefinite() throws {
        var bench = try LifecycleBench.inState(.sent)
        bench.passToNextWake()
        bench.handle(.sendEnded(.receipt(.refused(.forbidden, "no"))))
        #expect(bench.state == .sent, "the first send may have arrived")
        #expect(bench.lifecycle.nextWake == .seconds(30), "it is not sent again")
        bench.handle(.evidence(bench.ack(.succeeded, n: 2)))
        #expect(bench.state == .succeeded)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func resendsComeAfterOneTwoFourAndEightSeconds(_ seed: UInt64) throws {
        var bench = try LifecycleBench(lifetime: .seconds(60), seed: seed)
        bench.handle(.enqueued(.reachable), .reach(.reachable))
        for (index, seconds) in [1.0, 2, 4, 8, 8].enumerated() {
            bench.handle(.sendEnded(.receipt(.confirmed)))
            let wait = try #require(bench.lifecycle.nextWake) - bench.moment.elapsed
            #expect((seconds * 0.8...seconds * 1.2).contains(wait.seconds))
            #expect(bench.passToNextWake() == [.record, .publish(attempt: index + 2)])
        }
    }

    @Test func nothingIsSentAgainWhileTheDeviceIsAway() throws {
        var bench = try LifecycleBench.inState(.sent)
        bench.handle(.reach(.offline))
        #expect(bench.lifecycle.nextWake == .seconds(30), "only the expiry is left")
        bench.handle(.reach(.reachable))
        let wait = try #require(bench.lifecycle.nextWake) - bench.moment.elapsed
        #expect(wait < .seconds(1.3))
    }

    @Test func afterAnAckItIsNeverSentAgain() throws {
        var bench = try LifecycleBench.inState(.accepted)
        for _ in 0..<20 { #expect(!bench.passToNextWake().contains { $0.isPublish }) }
        #expect(bench.handle(.reach(.reachable)) == [])
    }

    @Test func aThrottledCommandIsShownAndSentAgain() throws {
        var bench = try LifecycleBench.inState(.sent)
        let ack = bench.ack(.rejected, n: 0, code: .throttled, isFinal: false, message: "full")
        #expect(bench.handle(.evidence(ack)) == [.record])
        #expect(bench.lifecycle.progress.code == .throttled)
        #expect(bench.lifecycle.progress.message == "full")
        #expect(bench.passToNextWake() == [.record, .publish(attempt: 2)])
    }

    // MARK: Acks

    @Test func anAckMayOvertakeThePuback() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.handle(.evidence(bench.ack(.accepted)))
        bench.handle(.sendEnded(.receipt(.refused(.forbidden, "no"))))
        #expect(bench.state == .accepted)
        #expect(bench.lifecycle.progress.timings.sentAt != nil)
    }

    @Test func aLateAckResolvesUnknown() throws {
        var bench = try LifecycleBench.inState(.unknown)
        bench.handle(.evidence(bench.ack(.succeeded, n: 2, result: ["previous": "max"])))
        #expect(bench.state == .succeeded)
        #expect(bench.lifecycle.progress.result == ["previous": "max"])
    }

    @Test func theFirstFinalAckWinsAndADifferentOneIsAnAnomaly() throws {
        var bench = try LifecycleBench.inState(.succeeded)
        #expect(bench.handle(.evidence(bench.ack(.succeeded, n: 2))) == [])
        let second = bench.handle(.evidence(bench.ack(.failed, n: 3, code: .stuck)))
        #expect(second.anomalies == [.contradictoryFinal])
        let other = bench.handle(.evidence(bench.ack(.succeeded, n: 2, result: ["x": 1])))
        #expect(other.anomalies == [.contradictoryFinal])
        #expect(bench.state == .succeeded)
    }

    @Test func anAckAfterALocalEndIsAnAnomaly() throws {
        var bench = try LifecycleBench.inState(.expired)
        #expect(bench.handle(.evidence(bench.ack(.accepted))).anomalies == [.ackAfterEnd])
        #expect(bench.handle(.evidence(bench.ack(.succeeded))).anomalies == [.contradictoryFinal])
        #expect(bench.handle(.evidence(bench.ack(.expired, code: .expired))) == [])
    }

    @Test(arguments: [AckCode.staleSession, .expired])
    func aDeviceThatTurnsDownWhatItNeverHadAgreesWithTheEnd(_ code: AckCode) throws {
        var bench = try LifecycleBench.inState(.unknown)
        bench.handle(.adopted(.reachable), .answer(.told(.never)))
        #expect(bench.state == .expired)
        var late = bench.ack(code == .expired ? .expired : .rejected, code: code)
        late.executions = 0
        #expect(bench.handle(.evidence(late)) == [], "it said so and keeps its word")
        #expect(bench.handle(.evidence(bench.ack(.succeeded))).contains { $0.isReport })
    }

    @Test func aReusedIDIsAnAnomalyAndChangesNothing() throws {
        var bench = try LifecycleBench.inState(.sent)
        let before = bench.lifecycle.progress
        let actions = bench.handle(.evidence(bench.ack(.rejected, code: .idReused)))
        #expect(actions.anomalies == [.idReused])
        #expect(bench.lifecycle.progress == before)
    }

    @Test func acksOutOfOrderDoNotLeadBack() throws {
        var bench = try LifecycleBench.inState(.running)
        #expect(bench.handle(.evidence(bench.ack(.accepted, n: 1))) == [])
        #expect(bench.state == .running)
    }

    @Test(arguments: [CommandSort.instant, .setting])
    func acceptedInstantsAndSettingsMustEndInTime(_ sort: CommandSort) throws {
        var bench = try LifecycleBench.inState(.accepted, sort: sort)
        #expect(bench.lifecycle.nextWake == .seconds(30))
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown)
        bench.handle(.evidence(bench.ack(.succeeded, n: 2)))
        #expect(bench.state == .succeeded)
    }

    @Test func theEffectIsObservedByTheRevisionOfTheAck() throws {
        var bench = try LifecycleBench.inState(.running)
        bench.handle(.state(revision: 7))
        #expect(!bench.lifecycle.isObserved)
        bench.handle(.evidence(bench.ack(.succeeded, n: 3, revision: 8)))
        #expect(!bench.lifecycle.isObserved)
        bench.handle(.state(revision: 8))
        #expect(bench.lifecycle.isObserved)
        bench.handle(.state(revision: 3))
        #expect(bench.lifecycle.isObserved)
    }

    // MARK: Asking

    @Test func aSilentActionIsAskedForAfterAMinute() throws {
        var bench = try LifecycleBench.inState(.running)
        bench.pass(.seconds(45))
        bench.handle(.evidence(bench.ack(.progress, n: 3)))
        #expect(bench.pass(.seconds(59)) == [])
        #expect(bench.pass(.seconds(1)) == [.ask])
        #expect(bench.state == .running)
        bench.handle(.answer(.none("no answer")))
        #expect(bench.state == .unknown)
    }

    @Test func anActionThatTheDeviceStillKnowsGoesOn() throws {
        var bench = try LifecycleBench.inState(.running)
        #expect(bench.pass(.seconds(60)) == [.ask])
        bench.handle(.answer(.told(.known(bench.ack(.progress, n: 2)))))
        #expect(bench.state == .running)
        #expect(bench.pass(.seconds(60)) == [.ask])
    }

    @Test func aNewBootMeansAsk() throws {
        var bench = try LifecycleBench.inState(.running)
        #expect(bench.handle(.boot(bench.boot)) == [])
        #expect(bench.handle(.boot(try BootID("b2"))) == [.ask])
        #expect(bench.handle(.boot(try BootID("b2"))) == [], "it was asked already")
    }

    @Test(arguments: [CommandState.accepted, .running])
    func behindALostLinkTheDeviceIsAskedForMissedAcks(_ state: CommandState) throws {
        var bench = try LifecycleBench.inState(state)
        #expect(bench.handle(.reach(.linkDown(""))) == [])
        #expect(bench.state == state)
        #expect(bench.handle(.reach(.offline)) == [], "the link is back, the device is not")
        #expect(bench.handle(.reach(.reachable)) == [.ask])
        bench.handle(.answer(.told(.known(bench.ack(.succeeded, n: 2)))))
        #expect(bench.state == .succeeded)
    }

    @Test func anUnreachableDeviceIsAskedWhenItComesBack() throws {
        var bench = try LifecycleBench.inState(.running)
        bench.handle(.reach(.linkDown("")))
        #expect(bench.pass(.seconds(60)) == [])
        #expect(bench.handle(.reach(.reachable)) == [.ask])
    }

    @Test func whatTheDeviceNeverHadMayBeSentAnew() throws {
        var bench = try LifecycleBench.inState(.sent).afterCrash()
        #expect(bench.handle(.adopted(.reachable)).contains(.ask))
        bench.handle(.answer(.told(.never)))
        #expect(bench.state == .refused)
        #expect(bench.lifecycle.progress.code == .staleSession)
    }

    @Test func whatTheDeviceNeverHadAndIsTooLateIsExpired() throws {
        var bench = try LifecycleBench.inState(.unknown)
        bench.handle(.answer(.told(.never)))
        #expect(bench.state == .expired)
    }

    @Test func aDeviceThatDeniesWhatItAcceptedIsAnAnomaly() throws {
        var bench = try LifecycleBench.inState(.accepted)
        #expect(bench.handle(.answer(.told(.never))).anomalies == [.deniedAfterAck])
        #expect(bench.state == .unknown)
    }

    // MARK: Restarts

    @Test func afterARestartWhatNeverLeftIsSent() throws {
        var bench = try LifecycleBench.inState(.queued).afterCrash()
        #expect(bench.handle(.adopted(.reachable)) == [.record, .publish(attempt: 1)])
    }

    @Test(arguments: [CommandState.sending, .sent, .accepted, .running])
    func afterARestartWhatMayHaveLeftIsAskedForAndNotSent(_ state: CommandState) throws {
        var bench = try LifecycleBench.inState(state).afterCrash()
        let actions = bench.handle(.adopted(.reachable))
        #expect(actions.contains(.ask))
        #expect(!actions.contains { $0.isPublish })
        bench.handle(.answer(.told(.known(bench.ack(.succeeded, n: 2)))))
        #expect(bench.state == .succeeded)
    }

    /// The next process may hear of the link before it has taken the command over.
    @Test func afterARestartALinkThatComesFirstSendsNothingThatMayHaveLeft() throws {
        var bench = try LifecycleBench.inState(.sending)
        bench.handle(.sendEnded(.mayHaveLeft("broken")))
        #expect(bench.state == .queued)
        bench = bench.afterCrash()
        #expect(bench.handle(.reach(.reachable)) == [.ask])
        #expect(bench.handle(.adopted(.reachable)) == [], "it was asked already")
        bench.handle(.answer(.told(.never)))
        #expect(bench.state == .refused)
    }

    @Test func afterARestartWithoutAskingWhatMayHaveLeftIsUnknown() throws {
        var bench = try LifecycleBench(traits: .all(but: .asking))
        bench.handle(.enqueued(.reachable), .sendEnded(.mayHaveLeft("broken")))
        bench = bench.afterCrash()
        #expect(bench.handle(.reach(.reachable)) == [])
        #expect(bench.handle(.adopted(.reachable)) == [.record])
        #expect(bench.state == .unknown)
        #expect(!bench.lifecycle.isAnswerDue)
    }

    @Test func afterARestartASilentDeviceIsAskedAgainUntilTheTimeHasPassed() throws {
        var bench = try LifecycleBench.inState(.sent).afterCrash()
        bench.handle(.adopted(.reachable), .answer(.none("no answer")))
        #expect(bench.state == .sent)
        #expect(bench.passToNextWake() == [.ask])
        bench.pass(.seconds(30))
        bench.handle(.answer(.none("no answer")))
        #expect(bench.state == .unknown)
    }

    @Test func afterARestartTheTimeMayHavePassedAlready() throws {
        let sent = try LifecycleBench.inState(.sent)
        var later = sent.moment
        later.wall = later.wall.advanced(by: .seconds(600))
        var bench = sent.afterCrash(at: later)
        bench.handle(.adopted(.linkDown("")))
        bench.handle(.wake)
        #expect(bench.state == .unknown)
        #expect(bench.handle(.reach(.reachable)) == [.ask])
        bench.handle(.answer(.told(.known(bench.ack(.succeeded, n: 2)))))
        #expect(bench.state == .succeeded)
    }

    @Test(arguments: [Duration.seconds(600), .seconds(-600), .seconds(86_400)])
    func aStepOfTheWallClockDoesNotChangeAWait(_ step: Duration) throws {
        var bench = try LifecycleBench.inState(.queued)
        bench.moment.wall = bench.moment.wall.advanced(by: step)
        bench.handle(.wake)
        #expect(bench.state == .queued)
        #expect(bench.lifecycle.nextWake == .seconds(30))
    }
}

extension LifecycleBench.Step {
    var isPublish: Bool { if case .publish = self { true } else { false } }

    var isReport: Bool { if case .perform(.report) = self { true } else { false } }
}

extension [LifecycleBench.Step] {
    var anomalies: [CommandAnomaly.Kind] {
        compactMap { if case .perform(.report(let anomaly)) = $0 { anomaly.kind } else { nil } }
    }
}
