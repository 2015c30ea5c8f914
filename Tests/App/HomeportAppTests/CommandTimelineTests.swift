import Homeport
import Testing

@testable import DeviceControlPresentation

@Suite struct CommandTimelineTests {
    private let start = Timestamp(milliseconds: 1_000)
    private let later = Timestamp(milliseconds: 2_000)

    private func standings(
        _ state: CommandState, sent: Bool = false, accepted: Bool = false, ended: Bool = false,
        observed: Bool = false
    ) -> [CommandTimeline.Standing] {
        let timings = CommandTimings(
            createdAt: start, sentAt: sent ? later : nil, acceptedAt: accepted ? later : nil,
            finalAt: ended ? later : nil, observedAt: observed ? later : nil)
        return CommandTimeline(CommandProgress(state: state, timings: timings)).stages.map(
            \.standing)
    }

    private var asked: CommandTimeline.Standing { .reached(at: start) }
    private var reached: CommandTimeline.Standing { .reached(at: later) }

    @Test func everyPointIsReachedByItself() {
        #expect(standings(.queued) == [asked, .next, .open, .open, .open])
        #expect(standings(.sent, sent: true) == [asked, reached, .next, .open, .open])
        #expect(
            standings(.accepted, sent: true, accepted: true)
                == [asked, reached, reached, .next, .open])
        #expect(
            standings(.succeeded, sent: true, accepted: true, ended: true)
                == [asked, reached, reached, reached, .open])
        #expect(
            standings(.succeeded, sent: true, accepted: true, ended: true, observed: true)
                == [asked, reached, reached, reached, reached])
    }

    @Test func noEffectOfADryRunIsAwaited() {
        let timings = CommandTimings(createdAt: start, finalAt: later)
        let timeline = CommandTimeline(
            CommandProgress(state: .succeeded, timings: timings), isDryRun: true)
        #expect(timeline.stages.last?.standing == .skipped)
    }

    @Test func anUnknownOutcomeIsDoubtAndNoFailure() {
        #expect(
            standings(.unknown, sent: true) == [asked, reached, .doubtful, .doubtful, .open])
        #expect(standings(.unknown) == [asked, .doubtful, .doubtful, .doubtful, .open])
    }

    @Test(arguments: [
        CommandState.failed, .rejected, .cancelled, .superseded, .refused, .expired,
    ])
    func whatEndedBeforeIsSkipped(_ state: CommandState) {
        #expect(standings(state, ended: true) == [asked, .skipped, .skipped, reached, .skipped])
    }

    @Test(arguments: CommandState.allCases)
    func theEndingIsTheOutcomeOfTheState(_ state: CommandState) {
        let timeline = CommandTimeline(
            CommandProgress(state: state, timings: CommandTimings(createdAt: start)))
        #expect(timeline.ending == CommandOutcome(state))
        #expect(timeline.stages.map(\.point) == CommandTimeline.Point.allCases)
    }
}
