internal import DeviceControl
public import DeviceDomain

/// The energy of a home over a time.
public struct EnergyReport: Hashable, Sendable {
    /// How much energy an hour, a day or a month has.
    public struct Bar: Hashable, Sendable {
        /// When it begins (world clock).
        public let at: Timestamp
        /// Its energy.
        public internal(set) var balance: EnergyBalance
    }

    /// What it is about.
    public let period: EnergyPeriod
    /// Whether something was kept before ``period``.
    public let hasEarlier: Bool
    /// The part of ``period`` for which there is any power, at least a twelfth of it.
    public let filled: ClosedRange<Timestamp>
    /// The power, oldest first; times without a sample are left out.
    public let powers: [EnergyPower]
    /// The energy of each hour, day or month, oldest first; empty for an hour.
    public let bars: [Bar]
    /// The energy of all of it.
    public let total: EnergyBalance
    /// What amounts of money are in; `nil` where no prices are known.
    public let currency: String?

    /// The length of what one of ``powers`` is about, in milliseconds.
    public var resolution: Int { period.column }

    /// What a store has measured at a moment, or the mean of a period.
    struct Sample {
        /// When it was measured, or when the period begins (world clock).
        let at: Timestamp
        /// The signals.
        let values: JSONObject
        /// The length of the period in milliseconds; 0 for a moment.
        let length: Int
    }

    /// What the devices that store energy have measured, oldest first: of the time and a little before and after it.
    struct Readings {
        /// Of the first store, which has the meter of the home.
        var meter: [Sample] = []
        /// Of each store.
        var stores: [[Sample]] = []
        /// When the first sample that is kept of them was taken.
        var first: Timestamp?
    }

    init(
        _ readings: Readings, over period: EnergyPeriod, in calendar: LocalCalendar,
        at tariff: EnergyTariff?
    ) {
        self.period = period
        let span = period.span
        hasEarlier = readings.first.map { $0 < span.lowerBound } ?? false
        currency = tariff?.currency
        powers = Self.powers(readings, period)
        let length = span.upperBound.milliseconds - span.lowerBound.milliseconds
        let latest = span.upperBound.advanced(by: .milliseconds(-length / 12))
        filled = min(powers.first?.at ?? latest, latest)...span.upperBound
        var sums = Sums(period: period, calendar: calendar, tariff: tariff)
        sums.addMeter(readings.meter)
        for store in readings.stores { sums.addCounters(store) }
        bars = sums.bars.sorted { $0.key < $1.key }.map { Bar(at: $0, balance: $1) }
        total = sums.total
    }

    // MARK: Power

    /// The means of each column, to which samples add by the time for which they stand.
    private static func powers(
        _ readings: Readings, _ period: EnergyPeriod
    ) -> [EnergyPower] {
        let (start, length) = (period.span.lowerBound.milliseconds, period.column)
        let last = max(period.span.upperBound.milliseconds - start - 1, 0) / length
        func columns(
            _ samples: [Sample], _ signal: Signal
        ) -> [Int: Double] {
            var sums: [Int: (sum: Double, weight: Double)] = [:]
            for (sample, time) in period.standing(samples) {
                guard let value = sample.values[signal]?.number,
                    let time = period.part(of: time)
                else { continue }
                let column = min((time.lowerBound - start) / length, last)
                // The newest sample stands for no time yet: it shows where nothing else does.
                guard !time.isEmpty || sums[column] == nil else { continue }
                let weight = Double(max(time.count, 1))
                let sum = sums[column] ?? (0, 0)
                sums[column] = (sum.sum + value * weight, sum.weight + weight)
            }
            return sums.mapValues { $0.sum / $0.weight }
        }
        let (solar, grid, load) = (
            columns(readings.meter, .pvPowerW), columns(readings.meter, .gridPowerW),
            columns(readings.meter, .loadPowerW)
        )
        var battery: [Int: Double] = [:]
        for store in readings.stores {
            battery.merge(columns(store, .batteryPowerW), uniquingKeysWith: +)
        }
        let known = Set(solar.keys).union(grid.keys).union(load.keys).union(battery.keys)
        return known.sorted().map { column in
            EnergyPower(
                at: Timestamp(milliseconds: start + column * length),
                solarW: solar[column], gridW: grid[column], loadW: load[column],
                batteryW: battery[column])
        }
    }
}

/// Energy by bars and in all.
private struct Sums {
    let period: EnergyPeriod
    let calendar: LocalCalendar
    let tariff: EnergyTariff?
    var bars: [Timestamp: EnergyBalance] = [:]
    var total: EnergyBalance

    init(period: EnergyPeriod, calendar: LocalCalendar, tariff: EnergyTariff?) {
        self.period = period
        self.calendar = calendar
        self.tariff = tariff
        total = EnergyBalance(hasPrices: tariff != nil)
    }

    private mutating func change(at moment: Timestamp, _ body: (inout EnergyBalance) -> Void) {
        body(&total)
        guard let bar = period.range.bar(of: moment, in: calendar) else { return }
        body(&bars[bar, default: EnergyBalance(hasPrices: tariff != nil)])
    }

    mutating func addMeter(_ samples: [EnergyReport.Sample]) {
        let feedIn = tariff?.feedIn ?? 0
        for (sample, time) in period.standing(samples) {
            guard let time = period.part(of: time), !time.isEmpty else { continue }
            let start = Timestamp(milliseconds: time.lowerBound)
            let power = EnergyPower(
                at: start, solarW: sample.values[.pvPowerW]?.number,
                gridW: sample.values[.gridPowerW]?.number,
                loadW: sample.values[.loadPowerW]?.number)
            let price = price(at: start)
            change(at: start) {
                $0.add(power, hours: Double(time.count) / 3_600_000, price: price, feedIn: feedIn)
            }
        }
    }

    private func price(at moment: Timestamp) -> Double {
        guard let tariff else { return 0 }
        let seconds = calendar.localSeconds(of: moment)
        let minutes = ((seconds % 86_400) + 86_400) % 86_400 / 60
        guard let time = TimeOfDay(minutes: minutes) else { return tariff.price }
        return tariff.price(at: time, on: calendar.date(of: moment).weekday)
    }

    /// What counters have risen by, evenly between two samples; the mean of a counter is what it showed in the middle.
    mutating func addCounters(_ samples: [EnergyReport.Sample]) {
        var former: (at: Int, charged: Double, discharged: Double)?
        for sample in samples {
            guard let charged = sample.values[.chargedKWh]?.number,
                let discharged = sample.values[.dischargedKWh]?.number
            else { continue }
            let at = sample.at.milliseconds + sample.length / 2
            if let former, former.at < at, let part = period.part(of: former.at..<at) {
                let share = Double(part.count) / Double(at - former.at)
                // A device that was replaced begins anew.
                addRise(
                    max(charged - former.charged, 0) * share,
                    max(discharged - former.discharged, 0) * share, in: part)
            }
            former = (at, charged, discharged)
        }
    }

    /// Halves a time until each part lies in one bar, or is a second.
    private mutating func addRise(_ charged: Double, _ discharged: Double, in time: Range<Int>) {
        guard charged > 0 || discharged > 0, !time.isEmpty else { return }
        let ends = [time.lowerBound, time.upperBound - 1].map {
            period.range.bar(of: Timestamp(milliseconds: $0), in: calendar)
        }
        guard ends[0] != ends[1], time.count > 1_000 else {
            change(at: Timestamp(milliseconds: time.lowerBound)) {
                $0.chargedKWh += charged
                $0.dischargedKWh += discharged
            }
            return
        }
        let middle = time.lowerBound + time.count / 2
        addRise(charged / 2, discharged / 2, in: time.lowerBound..<middle)
        addRise(charged / 2, discharged / 2, in: middle..<time.upperBound)
    }
}

extension EnergyPeriod {
    /// A gap between two samples that is longer is no time in which power was measured, in milliseconds.
    private static let longestGap = 300_000

    /// Each sample, and the time for which it stands, in milliseconds: until the next one, but not beyond its own period
    /// and the longest gap.
    fileprivate func standing(
        _ samples: [EnergyReport.Sample]
    ) -> [(sample: EnergyReport.Sample, time: Range<Int>)] {
        samples.enumerated().map { index, sample in
            let start = sample.at.milliseconds
            let longest = max(sample.length, Self.longestGap)
            let next = index + 1 < samples.count ? samples[index + 1].at.milliseconds : .max
            return (sample, start..<min(max(next, start), start + longest))
        }
    }

    /// The part of a time that lies in this one; `nil` for none.
    fileprivate func part(of time: Range<Int>) -> Range<Int>? {
        let (start, end) = (span.lowerBound.milliseconds, span.upperBound.milliseconds)
        guard time.lowerBound <= end, time.upperBound > start || time.lowerBound == start else {
            return nil
        }
        return max(time.lowerBound, start)..<min(max(time.upperBound, start), end)
    }
}
