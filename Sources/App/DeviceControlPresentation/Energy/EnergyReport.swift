internal import DeviceControl
public import DeviceDomain
internal import History

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

    /// What the devices that store energy have measured.
    struct Readings {
        /// Of the first store, which has the meter of the home.
        var meter: [RecordedSample] = []
        /// Of each store.
        var stores: [[RecordedSample]] = []
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
        sums.addMeter(readings.meter.filter { span.contains($0.at) })
        for store in readings.stores { sums.addCounters(store) }
        bars = sums.bars.sorted { $0.key < $1.key }.map { Bar(at: $0, balance: $1) }
        total = sums.total
    }

    // MARK: Power

    /// The means of each column.
    private static func powers(
        _ readings: Readings, _ period: EnergyPeriod
    ) -> [EnergyPower] {
        let (start, length) = (period.span.lowerBound.milliseconds, period.column)
        func columns(
            _ samples: [RecordedSample], _ signal: Signal
        ) -> [Int: Double] {
            var sums: [Int: (sum: Double, count: Double)] = [:]
            for sample in samples where period.span.contains(sample.at) {
                guard let value = sample.values[signal]?.number else { continue }
                let column = (sample.at.milliseconds - start) / length
                let sum = sums[column] ?? (0, 0)
                sums[column] = (sum.sum + value, sum.count + 1)
            }
            return sums.mapValues { $0.sum / $0.count }
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
    /// A gap between two samples that is longer is no time in which power was measured, in milliseconds.
    private static let longestGap = 300_000

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

    /// Each power holds until the next one, or for as long as its mean is about.
    mutating func addMeter(_ samples: [RecordedSample]) {
        let feedIn = tariff?.feedIn ?? 0
        let longest = max(period.reading, Self.longestGap)
        for (index, sample) in samples.enumerated() {
            let next = index + 1 < samples.count ? samples[index + 1].at : period.span.upperBound
            let length = min(max(next.milliseconds - sample.at.milliseconds, 0), longest)
            let power = EnergyPower(
                at: sample.at, solarW: sample.values[.pvPowerW]?.number,
                gridW: sample.values[.gridPowerW]?.number,
                loadW: sample.values[.loadPowerW]?.number)
            let price = price(at: sample.at)
            change(at: sample.at) {
                $0.add(power, hours: Double(length) / 3_600_000, price: price, feedIn: feedIn)
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

    /// What counters have risen by since the sample before; what happened in a gap is counted at its end.
    mutating func addCounters(_ samples: [RecordedSample]) {
        var former: (charged: Double, discharged: Double)?
        for sample in samples {
            guard let charged = sample.values[.chargedKWh]?.number,
                let discharged = sample.values[.dischargedKWh]?.number
            else { continue }
            if let former, period.span.contains(sample.at) {
                change(at: sample.at) {
                    // A device that was replaced begins anew.
                    $0.chargedKWh += max(charged - former.charged, 0)
                    $0.dischargedKWh += max(discharged - former.discharged, 0)
                }
            }
            former = (charged, discharged)
        }
    }
}
