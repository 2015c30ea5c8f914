import DeviceControlPresentation
import Homeport
import Testing

@testable import DeviceControlPresentation

@Suite struct EnergyReportTests {
    private static let calendar = LocalCalendar { _ in 0 }
    /// 2026-11-25 12:00, a Wednesday, in milliseconds.
    private static let noon = 1_795_608_000_000

    private func sample(
        _ minutes: Int, solar: Double = 0, grid: Double = 0, load: Double = 0, battery: Double = 0,
        charged: Double? = nil, length: Int = 300_000
    ) -> EnergyReport.Sample {
        var values: JSONObject = [
            "pvPowerW": .number(solar), "gridPowerW": .number(grid), "loadPowerW": .number(load),
            "batteryPowerW": .number(battery),
        ]
        if let charged {
            values["chargedKWh"] = .number(charged)
            values["dischargedKWh"] = .number(charged / 2)
        }
        return EnergyReport.Sample(
            at: Timestamp(milliseconds: Self.noon + minutes * 60_000), values: values,
            length: length)
    }

    private func report(
        _ range: EnergyRange, _ stores: [[EnergyReport.Sample]], until minutes: Int = 60,
        tariff: EnergyTariff? = nil
    ) -> EnergyReport {
        let end = Timestamp(milliseconds: Self.noon + minutes * 60_000)
        var readings = EnergyReport.Readings()
        readings.stores = stores
        readings.meter = stores.first ?? []
        return EnergyReport(
            readings, over: EnergyPeriod(range, before: end, in: Self.calendar), in: Self.calendar,
            at: tariff)
    }

    @Test func powerOverTimeIsEnergyAndTheGridHasTwoSides() {
        let samples = (0..<12).map { index in
            sample(index * 5, solar: 1_200, grid: index < 6 ? 600 : -300, load: 900)
        }
        let total = report(.day, [samples]).total
        #expect(abs(total.solarKWh - 1.2) < 1e-9 && abs(total.usedKWh - 0.9) < 1e-9)
        #expect(abs(total.importedKWh - 0.3) < 1e-9 && abs(total.exportedKWh - 0.15) < 1e-9)
        #expect(abs((total.selfSufficiencyPercent ?? 0) - 200 / 3) < 1e-9)
        #expect(total.cost == nil)
        #expect(report(.day, [[]]).total.selfSufficiencyPercent == nil)
    }

    @Test func aGapIsNoTimeInWhichPowerWasMeasured() {
        // Five minutes before the gap, and none of the two hours in it.
        let samples = [sample(-120, load: 1_200), sample(0, load: 1_200)]
        #expect(abs(report(.day, [samples], until: 5).total.usedKWh - 0.2) < 1e-9)
    }

    @Test func beforeAGapAShortMeanStandsForFiveMinutesInEachRange() {
        let samples = [0, 40].map { sample($0, load: 1_200, length: 10_000) }
        for range in EnergyRange.allCases {
            let used = report(range, [samples], until: 50).total.usedKWh
            #expect(abs(used - 0.2) < 1e-9, "\(range)")
        }
    }

    @Test func theMiddleOfAMeanIsThatOfItsOwnLength() {
        // An hour without a sample, and 2 kWh in it.
        let samples = [
            sample(-30, charged: 10, length: 10_000), sample(30, charged: 12, length: 10_000),
        ]
        let bars = report(.day, [samples], until: 31).bars.map(\.balance)
        // From 11:30:05 until noon 1795 of 3600 seconds.
        #expect(abs((bars.first?.chargedKWh ?? 0) - 0.9972) < 1e-3)
        #expect(abs((bars.last?.chargedKWh ?? 0) - 1.0028) < 1e-3)
    }

    @Test func batteriesAreCountedByTheirCountersAlsoOverAGap() {
        let one = [sample(-180, charged: 10), sample(0, charged: 13), sample(5, charged: 13.5)]
        let other = [sample(0, charged: 2), sample(5, charged: 3)]
        let report = report(.day, [one, other], until: 10)
        #expect(abs(report.total.chargedKWh - 4.5) < 1e-9)
        #expect(abs(report.total.dischargedKWh - 2.25) < 1e-9)
        // A device that was replaced begins anew.
        let replaced = [sample(0, charged: 50), sample(5, charged: 1), sample(10, charged: 2)]
        #expect(abs(self.report(.day, [replaced]).total.chargedKWh - 1) < 1e-9)
    }

    @Test func theMeanOfACounterIsWhatItShowedInTheMiddle() {
        // 6 kWh in an hour, all the time.
        let samples = stride(from: -30, through: 30, by: 5).map { minutes in
            sample(minutes, charged: 10 + (Double(minutes) + 2.5) / 10)
        }
        let bars = report(.day, [samples], until: 30).bars.map(\.balance)
        #expect(bars.count == 2)
        // From the middle of the first mean on.
        #expect(abs((bars.first?.chargedKWh ?? 0) - 2.75) < 1e-4)
        #expect(abs((bars.last?.chargedKWh ?? 0) - 3) < 1e-4)
        #expect(abs((bars.last?.dischargedKWh ?? 0) - 1.5) < 1e-4)
    }

    @Test func ofAMeanThatBeginsBeforeTheTimeItsPartCounts() {
        let samples = [sample(-24 * 60, load: 1_200, charged: 1), sample(0, charged: 1)]
        #expect(abs(report(.day, [samples], until: 2).total.usedKWh - 0.06) < 1e-9)
    }

    @Test func theEndsOfATimeAreReadAsFinelyAsTheyAreKept() {
        let end = Timestamp(milliseconds: Self.noon)
        func readings(_ range: EnergyRange, _ steps: Int = 0) -> [Int] {
            let period = EnergyPeriod(range, steps, before: end, in: Self.calendar)
            return period.ends(from: Timestamp(milliseconds: 0)).map(\.reading).sorted()
        }
        #expect(readings(.hour) == [])
        #expect(readings(.day) == [10_000, 10_000])
        #expect(readings(.month) == [10_000, 300_000])
        #expect(readings(.week, 1) == [])
        let period = EnergyPeriod(.year, before: end, in: Self.calendar)
        let first = end.advanced(by: .seconds(-1_800))
        #expect(period.ends(from: first).count == 2)
        #expect(period.ends(from: first).allSatisfy { $0.reading == 10_000 })
    }

    @Test func barsAreHoursDaysAndMonths() {
        let day = 24 * 60
        let samples = [-40 * day, -day, 0].map { sample($0, load: 1_000) }
        func starts(_ range: EnergyRange) -> [String] {
            report(range, [samples], until: 5).bars.map { "\($0.at)" }
        }
        #expect(report(.hour, [samples]).bars.isEmpty)
        #expect(starts(.day) == ["2026-11-25T12:00:00.000Z"])
        #expect(starts(.week) == ["2026-11-24T00:00:00.000Z", "2026-11-25T00:00:00.000Z"])
        #expect(starts(.year) == ["2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z"])
    }

    private func span(_ range: EnergyRange, _ steps: Int) -> String {
        let end = Timestamp(milliseconds: Self.noon)
        let span = EnergyPeriod(range, steps, before: end, in: Self.calendar).span
        return "\(span.lowerBound) \(span.upperBound)"
    }

    @Test func timesBeginWithADayOrAMonth() {
        let end = "2026-11-25T12:00:00.000Z"
        #expect(span(.hour, 0) == "2026-11-25T11:00:00.000Z \(end)")
        #expect(span(.day, 0) == "2026-11-24T12:00:00.000Z \(end)")
        #expect(span(.week, 0) == "2026-11-19T00:00:00.000Z \(end)")
        #expect(span(.month, 0) == "2026-10-26T00:00:00.000Z \(end)")
        #expect(span(.year, 0) == "2025-12-01T00:00:00.000Z \(end)")
    }

    @Test func aTimeBeforeEndsWhereTheNextOneBeginsAndADayIsThatOfTheCalendar() {
        #expect(span(.hour, 1) == "2026-11-25T10:00:00.000Z 2026-11-25T10:59:59.999Z")
        #expect(span(.day, 1) == "2026-11-24T00:00:00.000Z 2026-11-24T23:59:59.999Z")
        #expect(span(.day, 2) == "2026-11-23T00:00:00.000Z 2026-11-23T23:59:59.999Z")
        #expect(span(.week, 2) == "2026-11-05T00:00:00.000Z 2026-11-11T23:59:59.999Z")
        #expect(span(.month, 1) == "2026-09-25T00:00:00.000Z 2026-10-25T23:59:59.999Z")
        #expect(span(.year, 1) == "2024-12-01T00:00:00.000Z 2025-11-30T23:59:59.999Z")
    }

    @Test func whatIsKeptInHoursOnlyIsCountedInHours() {
        let end = Timestamp(milliseconds: Self.noon)
        // A week, six weeks ago: a mean of each hour is kept.
        let period = EnergyPeriod(.week, 6, before: end, in: Self.calendar)
        var readings = EnergyReport.Readings()
        let hour = sample(-42 * 24 * 60, load: 500, length: 3_600_000)
        readings.meter = [hour, sample(-42 * 24 * 60 + 60, load: 500, length: 3_600_000)]
        readings.stores = [readings.meter]
        readings.first = hour.at
        let report = EnergyReport(readings, over: period, in: Self.calendar, at: nil)
        #expect(abs(report.total.usedKWh - 1) < 1e-9)
        #expect(report.resolution == 3_600_000)
        #expect(!report.hasEarlier)
        let later = EnergyPeriod(.week, 5, before: end, in: Self.calendar)
        #expect(EnergyReport(readings, over: later, in: Self.calendar, at: nil).hasEarlier)
        #expect(EnergyPeriod(.week, 3, before: end, in: Self.calendar).reading == 300_000)
        #expect(EnergyPeriod(.hour, 30, before: end, in: Self.calendar).reading == 300_000)
        #expect(EnergyPeriod(.hour, 0, before: end, in: Self.calendar).reading == 10_000)
    }

    @Test func pricesFollowTheTimeOfDay() throws {
        let tariff = EnergyTariff(
            currency: "EUR", price: 0.3, feedIn: 0.1,
            periods: [
                EnergyTariff.Period(
                    from: try #require(TimeOfDay("12:30")), until: try #require(TimeOfDay("18:00")),
                    days: [.wednesday], price: 0.2)
            ])
        // An hour of 1.2 kW from the grid: half of it at each price; then 10 min into it.
        let samples =
            (0..<12).map { sample($0 * 5, grid: 1_200) }
            + [sample(60, grid: -600), sample(65, grid: -600)]
        let total = report(.day, [samples], until: 70, tariff: tariff).total
        #expect(abs((total.cost ?? 0) - (0.6 * 0.3 + 0.6 * 0.2 - 0.1 * 0.1)) < 1e-9)
    }

    @Test func columnsAreMeansAndBatteriesAreSums() {
        let one = [sample(0, load: 100, battery: 10), sample(5, load: 300, battery: 30)]
        let other = [sample(0, battery: 1), sample(5, battery: 3)]
        let powers = report(.week, [one, other]).powers
        #expect(powers.count == 1)
        #expect(powers.first?.loadW == 200 && powers.first?.batteryW == 22)
    }

    @Test func aPeriodOverMidnightBelongsToTheDayOnWhichItBegins() throws {
        let night = EnergyTariff.Period(
            from: try #require(TimeOfDay("22:00")), until: try #require(TimeOfDay("06:00")),
            days: [.friday], price: 0.1)
        let tariff = EnergyTariff(currency: "EUR", price: 0.3, periods: [night])
        let times: [(String, Weekday, Double)] = [
            ("21:59", .friday, 0.3), ("22:00", .friday, 0.1), ("05:59", .saturday, 0.1),
            ("06:00", .saturday, 0.3), ("22:00", .saturday, 0.3), ("05:00", .friday, 0.3),
        ]
        for (time, day, price) in times {
            #expect(tariff.price(at: try #require(TimeOfDay(time)), on: day) == price, "\(time)")
        }
    }
}
