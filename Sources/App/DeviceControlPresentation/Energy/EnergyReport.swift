internal import DeviceControl
public import DeviceDomain
internal import History

/// The energy of a home over a time, up to the newest sample.
public struct EnergyReport: Hashable, Sendable {
    /// How much energy an hour, a day or a month has.
    public struct Bar: Hashable, Sendable {
        /// When it begins (world clock).
        public let at: Timestamp
        /// Its energy.
        public internal(set) var balance: EnergyBalance
    }

    /// How far back it reaches.
    public let range: EnergyRange
    /// What it is about (world clock).
    public let period: ClosedRange<Timestamp>
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
    public var resolution: Int { range.column }

    /// What the devices that store energy have measured.
    struct Readings {
        /// Of the first store, which has the meter of the home.
        var meter: [RecordedSample] = []
        /// Of each store.
        var stores: [[RecordedSample]] = []
    }

    init(
        _ readings: Readings, over range: EnergyRange, _ period: ClosedRange<Timestamp>,
        in calendar: LocalCalendar, at tariff: EnergyTariff?
    ) {
        self.range = range
        self.period = period
        currency = tariff?.currency
        powers = Self.powers(readings, range, period)
        let length = period.upperBound.milliseconds - period.lowerBound.milliseconds
        let latest = period.upperBound.advanced(by: .milliseconds(-length / 12))
        filled = min(powers.first?.at ?? latest, latest)...period.upperBound
        var sums = Sums(range: range, calendar: calendar, tariff: tariff)
        sums.addMeter(readings.meter.filter { period.contains($0.at) }, until: period.upperBound)
        for store in readings.stores { sums.addCounters(store, from: period.lowerBound) }
        bars = sums.bars.sorted { $0.key < $1.key }.map { Bar(at: $0, balance: $1) }
        total = sums.total
    }

    // MARK: Power

    /// The means of each column.
    private static func powers(
        _ readings: Readings, _ range: EnergyRange, _ period: ClosedRange<Timestamp>
    ) -> [EnergyPower] {
        let start = period.lowerBound.milliseconds
        func columns(
            _ samples: [RecordedSample], _ signal: Signal
        ) -> [Int: Double] {
            var sums: [Int: (sum: Double, count: Double)] = [:]
            for sample in samples where period.contains(sample.at) {
                guard let value = sample.values[signal]?.number else { continue }
                let sum = sums[(sample.at.milliseconds - start) / range.column] ?? (0, 0)
                sums[(sample.at.milliseconds - start) / range.column] = (
                    sum.sum + value, sum.count + 1
                )
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
                at: Timestamp(milliseconds: start + column * range.column),
                solarW: solar[column], gridW: grid[column], loadW: load[column],
                batteryW: battery[column])
        }
    }
}

/// Energy by bars and in all.
private struct Sums {
    /// A gap between two samples that is longer is no time in which power was measured, in milliseconds.
    private static let longestGap = 300_000

    let range: EnergyRange
    let calendar: LocalCalendar
    let tariff: EnergyTariff?
    var bars: [Timestamp: EnergyBalance] = [:]
    var total: EnergyBalance

    init(range: EnergyRange, calendar: LocalCalendar, tariff: EnergyTariff?) {
        self.range = range
        self.calendar = calendar
        self.tariff = tariff
        total = EnergyBalance(hasPrices: tariff != nil)
    }

    private mutating func change(at moment: Timestamp, _ body: (inout EnergyBalance) -> Void) {
        body(&total)
        guard let bar = range.bar(of: moment, in: calendar) else { return }
        body(&bars[bar, default: EnergyBalance(hasPrices: tariff != nil)])
    }

    /// Each power holds until the next one, or for as long as its mean is about.
    mutating func addMeter(_ samples: [RecordedSample], until end: Timestamp) {
        let feedIn = tariff?.feedIn ?? 0
        let longest = max(range.reading.wholeMilliseconds, Self.longestGap)
        for (index, sample) in samples.enumerated() {
            let next = index + 1 < samples.count ? samples[index + 1].at : end
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
    mutating func addCounters(_ samples: [RecordedSample], from start: Timestamp) {
        var former: (charged: Double, discharged: Double)?
        for sample in samples {
            guard let charged = sample.values[.chargedKWh]?.number,
                let discharged = sample.values[.dischargedKWh]?.number
            else { continue }
            if let former, sample.at >= start {
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
