import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

@testable import Dashboard

@Suite struct CommandStagesTests {
    private func stages(
        _ state: CommandState, sentAt: Int? = nil, acceptedAt: Int? = nil, finalAt: Int? = nil
    ) throws -> [CommandStages.Stage] {
        let moment = { (value: Int?) in value.map(Timestamp.init(milliseconds:)) }
        let intent = CommandIntent(
            id: try #require(CommandID("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11")),
            controller: try ControllerID("c"), home: try HomeID("h"), device: try DeviceID("d"),
            name: CommandName(rawValue: "locate"), sort: .instant,
            issuedAt: Timestamp(milliseconds: 1), expiresAt: Timestamp(milliseconds: 2))
        let record = CommandRecord(
            prepared: PreparedCommand(
                intent: intent, channel: try ChannelID("mqtt"), sequence: 1, payload: []),
            progress: CommandProgress(
                state: state,
                timings: CommandTimings(
                    createdAt: Timestamp(milliseconds: 1), sentAt: moment(sentAt),
                    acceptedAt: moment(acceptedAt), finalAt: moment(finalAt))))
        return CommandStages(record).stages
    }

    @Test func askedDeliveredAcceptedAndDoneAreFourThings() throws {
        let standings = { (stages: [CommandStages.Stage]) in stages.map(\.standing) }
        #expect(standings(try stages(.queued)) == [.reached, .next, .open, .open])
        #expect(standings(try stages(.sent, sentAt: 2)) == [.reached, .reached, .next, .open])
        #expect(
            standings(try stages(.running, sentAt: 2, acceptedAt: 3))
                == [.reached, .reached, .reached, .next])
        #expect(
            standings(try stages(.succeeded, sentAt: 2, acceptedAt: 3, finalAt: 4))
                == [.reached, .reached, .reached, .reached])
    }

    @Test func anUnknownOutcomeIsAFifthThing() throws {
        let last = try #require(try stages(.unknown, sentAt: 2).last)
        #expect(last.name == .outcomeUnknown && last.standing == .doubt)
    }

    @Test func noOtherEndLooksLikeDone() throws {
        for state in CommandState.allCases where state.isFinal && state != .succeeded {
            let last = try #require(try stages(state, finalAt: 4).last)
            #expect(last.standing == .failed && last.name != .done, "\(state)")
        }
    }
}

@Suite struct SampleSeriesTests {
    private func moment(_ seconds: Int) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    @Test func theLastValueOfEachSlotIsKept() {
        var series = SampleSeries()
        for second in [0, 5, 9, 12] { series.add(Double(second), at: moment(second)) }
        #expect(series.lastHour.map(\.value) == [9, 12])
        #expect(series.lastDay.map(\.value) == [12])
    }

    @Test func whatIsOlderThanAnHourOrADayIsGone() {
        var series = SampleSeries()
        series.add(1, at: moment(0))
        series.add(2, at: moment(3_700))
        #expect(series.lastHour.map(\.value) == [2])
        #expect(series.lastDay.map(\.value) == [1, 2])
        series.add(3, at: moment(87_000))
        #expect(series.lastDay.map(\.value) == [2, 3])
    }

    @Test func aGapHasNoValues() {
        var series = SampleSeries()
        series.add(1, at: moment(0))
        series.add(2, at: moment(100))
        #expect(series.lastHour.map(\.at) == [moment(0), moment(100)])
    }

    @Test func aClockThatIsSetBackBeginsAnew() {
        var series = SampleSeries()
        series.add(1, at: moment(5_000))
        series.add(2, at: moment(100))
        #expect(series.lastHour.map(\.value) == [2])
    }
}
