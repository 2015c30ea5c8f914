import DeviceDomain
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
