import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import Markup
import SharedPresentation
import Testing

@testable import Dashboard

@Suite struct ChartTests {
    @Test(arguments: [
        ([3.2, 97.0], 0.0, 100.0), ([20.4, 21.1], 20.4, 21.1), ([-1_250, 800], -1_500, 1_000),
    ])
    func scalesEndAtRoundNumbers(values: [Double], lower: Double, upper: Double) {
        let scale = ChartScale(values)
        #expect(abs(scale.lower - lower) < 1e-9 && abs(scale.upper - upper) < 1e-9, "\(scale)")
    }

    @Test func aConstantAndNoValueHaveAScale() {
        for values in [[], [5.0], [0, 0], [1e9, 1e9]] {
            let scale = ChartScale(values)
            #expect(scale.upper > scale.lower)
            #expect(values.allSatisfy { (0...1).contains(scale.position(of: $0)) })
        }
    }

    @Test func noiseIsNotDrawnAsLargeAsTheSignal() {
        let nothing = ChartScale([0, 0.4], includesZero: true, smallestSpan: 100)
        #expect(nothing.lower == 0 && nothing.upper == 100)
        let export = ChartScale([-0.4, 0], includesZero: true, smallestSpan: 100)
        #expect(export.lower == -100 && export.upper == 0)
        let warm = ChartScale([21, 21.1], smallestSpan: 2)
        #expect(warm.upper - warm.lower >= 2 && warm.lower <= 21 && warm.upper >= 21.1)
        #expect(ChartScale([0, 3_000], includesZero: true, smallestSpan: 100).upper == 3_000)
    }

    @Test func aChartIsAsLongAsWhatIsKnown() {
        let end = Timestamp(milliseconds: 100 * 86_400_000)
        func points(_ minutes: Int) -> [SamplePoint] {
            [
                SamplePoint(
                    at: Timestamp(milliseconds: end.milliseconds - minutes * 60_000), value: 1)
            ]
        }
        func minutes(_ period: ClosedRange<Timestamp>) -> Int {
            (period.upperBound.milliseconds - period.lowerBound.milliseconds) / 60_000
        }
        #expect(minutes(ChartPeriod.day.range(to: end, of: [points(10), points(12)])) == 12)
        #expect(minutes(ChartPeriod.day.range(to: end, of: [points(2_000)])) == 1_440)
        #expect(minutes(ChartPeriod.hour.range(to: end, of: [points(90)])) == 60)
        #expect(minutes(ChartPeriod.hour.range(to: end, of: [[]])) == 5)
    }

    @Test func powerHasOneFormAndAnAxisOverTwoDaysNamesThem() {
        let end = Timestamp(milliseconds: 1_795_563_005_000)
        let start = Timestamp(milliseconds: end.milliseconds - 86_400_000)
        func figure(_ value: Double, from start: Timestamp) -> String {
            let chart = LineChart(
                title: "Grid", points: [SamplePoint(at: end, value: value)], period: start...end,
                isAmount: true, smallestSpan: 100)
            return ChartFigure(
                texts: Texts(.english, calendar: LocalCalendar { _ in 0 }), chart: chart,
                unit: .watts
            ).render().markup
        }
        let day = figure(2_698, from: start)
        #expect(day.contains("<strong>2.7 kW</strong>") && day.contains("<span>3 kW</span>"))
        #expect(day.contains("<span>23 Nov 23:30</span>") && !day.contains("2,698"))
        let hour = figure(3, from: Timestamp(milliseconds: end.milliseconds - 3_600_000))
        #expect(hour.contains("<strong>3 W</strong>") && hour.contains("<span>22:30</span>"))
    }

    @Test func amountsAreDrawnFromZero() {
        #expect(ChartScale([400, 410], includesZero: true).lower == 0)
    }

    private func chart(_ seconds: [Int]) -> LineChart {
        let points = seconds.map {
            SamplePoint(at: Timestamp(milliseconds: $0 * 1_000), value: Double($0 % 7))
        }
        return LineChart(
            title: "<b>", points: points,
            period: Timestamp(milliseconds: 0)...Timestamp(milliseconds: 3_600_000))
    }

    @Test func missingSamplesBreakTheLine() {
        let markup = chart([0, 10, 20, 1_000, 1_010]).svg().markup
        #expect(markup.components(of: "class=\"stroke\"") == 2)
        #expect(markup.contains("aria-label=\"&lt;b&gt;\""))
    }

    @Test func samplesOutsideThePeriodAreLeftOut() {
        #expect(chart([4_000]).svg().markup.components(of: "class=\"stroke\"") == 0)
    }

    @Test func thinningKeepsThePeaks() {
        var points = (0..<5_000).map {
            SamplePoint(at: Timestamp(milliseconds: $0), value: 1)
        }
        points[2_345] = SamplePoint(at: Timestamp(milliseconds: 2_345), value: 99)
        let thinned = LineChart.thinned(points)
        #expect(thinned.count <= LineChart.mostPoints)
        #expect(thinned.contains { $0.value == 99 })
        #expect(thinned == thinned.sorted { $0.at < $1.at })
    }
}
