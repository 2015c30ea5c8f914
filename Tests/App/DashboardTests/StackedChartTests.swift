import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import Markup
import TestSupport
import Testing

@testable import Dashboard

@Suite struct StackedChartTests {
    private let texts = Texts(.english, calendar: LocalCalendar { _ in 0 })

    private func moment(_ text: String) throws -> Timestamp {
        let day = try #require(CalendarDate(String(text.prefix(10))))
        let time = try #require(TimeOfDay(String(text.suffix(5))))
        return LocalCalendar { _ in 0 }.moment(of: time, on: day)
    }

    private func chart(_ minutes: [Int], _ shape: StackedChart.Shape) -> StackedChart {
        StackedChart(
            title: "Power",
            moments: minutes.map { Timestamp(milliseconds: $0 * 60_000) },
            layers: [
                StackedChart.Layer(
                    name: "Solar", tone: "sun", isBelow: false,
                    amounts: minutes.map { _ in 100 }),
                StackedChart.Layer(
                    name: "<Grid>", tone: "grid-power", isBelow: false,
                    amounts: minutes.map { _ in 100 }),
                StackedChart.Layer(
                    name: "Load", tone: "load", isBelow: true, amounts: minutes.map { _ in 200 }),
            ], shape: shape,
            period: Timestamp(milliseconds: 0)...Timestamp(milliseconds: 60 * 60_000))
    }

    @Test func areasStandOnEachOtherAndBelowZero() {
        let drawing = chart([0, 50], .areas(longestGap: 60 * 60_000, width: 600_000)).svg().markup
        // From −200 to 200: zero is in the middle, the first layer reaches a quarter of the height.
        #expect(
            drawing.contains(
                "class=\"layer sun\" d=\"M0.0 51.0L500.0 51.0L600.0 51.0L600.0 100.0L500.0 100.0L0.0 100.0Z\""
            ))
        #expect(
            drawing.contains(
                "class=\"layer grid-power\" d=\"M0.0 2.0L500.0 2.0L600.0 2.0L600.0 51.0L500.0 51.0L0.0 51.0Z\""
            ))
        #expect(
            drawing.contains(
                "class=\"layer load\" d=\"M0.0 198.0L500.0 198.0L600.0 198.0L600.0 100.0L500.0 100.0L0.0 100.0Z\""
            ))
    }

    @Test func aGapBreaksAreas() {
        let drawing = chart([0, 10, 40, 50], .areas(longestGap: 15 * 60_000, width: 600_000)).svg()
            .markup
        #expect(drawing.components(of: "ZM") == 3)
    }

    @Test func barsHaveTheirWidth() {
        let drawing = chart([0, 30], .bars(width: 30 * 60_000)).svg().markup
        #expect(drawing.contains("d=\"M33.0 51.0L267.0 51.0"))
    }

    @Test func everyMomentHasItsValuesForThePointer() throws {
        let figure = StackedFigure(
            texts: texts, chart: chart([0, 30, 60], .areas(longestGap: 60 * 60_000, width: 0)),
            axis: TimeAxis(
                texts: texts,
                period: Timestamp(milliseconds: 0)...Timestamp(milliseconds: 3_600_000)),
            amount: { "\(Int($0)) W" }, moment: { texts.format.time($0) }
        ).render().markup
        #expect(figure.contains("data-columns=\"0\t00:00\t100 W\t100 W\t200 W\n500\t00:30\t"))
        #expect(figure.contains("&lt;Grid&gt;") && !figure.contains("style="))
        #expect(figure.components(of: "data-value") == 3)
    }

    @Test func axesHaveDates() throws {
        func marks(_ start: String, _ end: String) throws -> [String] {
            TimeAxis(texts: texts, period: try moment(start)...moment(end)).marks.map(\.text)
        }
        #expect(
            try marks("2026-11-25 11:55", "2026-11-25 12:55")
                == ["12:00", "12:10", "12:20", "12:30", "12:40", "12:50"])
        #expect(
            try marks("2026-11-24 13:00", "2026-11-25 13:00")
                == ["15:00", "18:00", "21:00", "Wed 25", "03:00", "06:00", "09:00", "12:00"])
        #expect(
            try marks("2026-11-19 00:00", "2026-11-25 13:00").first == "Thu 19")
        #expect(
            try marks("2025-12-01 00:00", "2026-11-25 13:00").prefix(3)
                == ["Dec", "Jan 2026", "Feb"])
        let chinese = Texts(.chinese, calendar: LocalCalendar { _ in 0 })
        let week = TimeAxis(
            texts: chinese,
            period: try moment("2026-11-19 00:00")...moment("2026-11-25 13:00"))
        #expect(week.marks.first?.text == "11月19日")
    }

    @Test func amountsAreWrittenAsPeopleReadThem() {
        let format = texts.format
        #expect(format.energy(1.234) == "1.23 kWh" && format.energy(123.4) == "123 kWh")
        #expect(format.money(-1_234.5, "EUR") == "−1,234.50 EUR")
        #expect(format.money(-0.001, "EUR") == "0.00 EUR")
    }
}
