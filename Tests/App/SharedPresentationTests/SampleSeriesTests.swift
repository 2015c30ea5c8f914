import DeviceDomain
import SharedPresentation
import Testing

@Suite struct SampleSeriesTests {
    private func at(_ seconds: Int) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

    @Test func theLastValueOfASlotIsKept() {
        var series = SampleSeries()
        series.add(1, at: at(100))
        series.add(2, at: at(105))
        series.add(3, at: at(111))
        #expect(series.lastHour.map(\.value) == [2, 3])
        #expect(series.lastDay.map(\.value) == [3])
    }

    @Test func anHourAndADayAreTheMostThatIsKept() {
        var series = SampleSeries()
        for second in stride(from: 0, to: 200_000, by: 5) {
            series.add(Double(second), at: at(second))
        }
        #expect(series.lastHour.count == 360)
        #expect(series.lastDay.count == 288)
        #expect(series.lastHour.last?.value == 199_995)
    }

    @Test func aGapStaysAGap() {
        var series = SampleSeries()
        for second in stride(from: 0, to: 4_000, by: 10) { series.add(1, at: at(second)) }
        series.add(2, at: at(7_000))
        #expect(series.lastHour.map(\.at).contains(at(6_000)) == false)
        #expect(series.lastHour.count == 1 + 359 - (7_000 - 4_000) / 10)
        series.add(3, at: at(1_000_000))
        #expect(series.lastHour.map(\.value) == [3])
    }

    @Test func aClockThatIsSetBackBeginsAnew() {
        var series = SampleSeries()
        series.add(1, at: at(1_000))
        series.add(2, at: at(10))
        #expect(series.lastHour == [SamplePoint(at: at(10), value: 2)])
    }
}
