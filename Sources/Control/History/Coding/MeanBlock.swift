internal import DeviceDomain

/// The mean of some numbers.
package struct Mean: Hashable, Sendable {
    package var value: Double
    /// Of how many numbers.
    package var count: Int

    package init(_ value: Double, of count: Int) {
        self.value = value
        self.count = count
    }

    /// Takes the mean of other numbers in.
    package mutating func add(_ other: Mean) {
        let total = count + other.count
        guard total > 0 else { return }
        value += (other.value - value) * (Double(other.count) / Double(total))
        count = total
    }
}

/// Means of the signals of a device in periods of equal length.
package struct MeanBlock: Hashable, Sendable {
    private static let version: UInt8 = 1
    /// The most numbers of which a mean is: more than a year of them at one a millisecond.
    private static let mostSamples = 1 << 40
    /// So many decimals more than its numbers has a mean.
    static let moreDecimals = 3

    /// By the number of the period since the epoch, then by the signal.
    package private(set) var periods: [Int: [String: Mean]] = [:]
    /// How many decimals the means of a signal have; of a signal that is not named here, as many as it takes.
    private var decimals: [String: Int] = [:]

    package init() {}

    /// Takes samples in, each in its period; only numbers have a mean.
    /// - Parameter length: of a period, in milliseconds.
    package mutating func add(_ samples: some Sequence<RecordedSample>, length: Int) {
        // Sums in the place of means.
        var sums: [Int: [String: Mean]] = [:]
        var numbers: [String: [Double]] = [:]
        for sample in samples {
            let period = sample.at.milliseconds.period(of: length)
            for (name, value) in sample.values {
                guard let number = value.number else { continue }
                numbers[name, default: []].append(number)
                let sum = sums[period]?[name] ?? Mean(0, of: 0)
                sums[period, default: [:]][name] = Mean(sum.value + number, of: sum.count + 1)
            }
        }
        let former = decimals
        let known = Set(periods.values.flatMap(\.keys))
        for (name, values) in numbers {
            let own = NumberColumn.decimals(of: values).map { $0 + Self.moreDecimals }
            decimals[name] =
                known.contains(name) ? Self.longer(own, former[name]) : own
        }
        for (period, sums) in sums {
            for (name, sum) in sums {
                add(Mean(sum.value / Double(sum.count), of: sum.count), name, period)
            }
        }
    }

    /// Takes the means of shorter periods in.
    /// - Parameters:
    ///   - length: of their periods, in milliseconds.
    ///   - ownLength: of the periods of this block.
    ///   - isWanted: whether a period counts, which begins at a moment in milliseconds.
    package mutating func add(
        _ other: MeanBlock, length: Int, ownLength: Int, where isWanted: (Int) -> Bool
    ) {
        let known = Set(periods.values.flatMap(\.keys))
        for name in Set(other.periods.values.flatMap(\.keys)) {
            decimals[name] =
                known.contains(name)
                ? Self.longer(other.decimals[name], decimals[name]) : other.decimals[name]
        }
        for (period, means) in other.periods where isWanted(period &* length) {
            for (name, mean) in means { add(mean, name, (period &* length).period(of: ownLength)) }
        }
    }

    private mutating func add(_ mean: Mean, _ name: String, _ period: Int) {
        periods[period, default: [:]][name, default: Mean(0, of: 0)].add(mean)
    }

    private static func longer(_ left: Int?, _ right: Int?) -> Int? {
        left.flatMap { left in right.map { max(left, $0) } }
    }

    private func value(_ mean: Mean, of name: String) -> Double {
        decimals[name].map { NumberColumn.rounded(mean.value, decimals: $0) } ?? mean.value
    }

    /// The means as samples at the beginnings of their periods, oldest first.
    /// - Parameters:
    ///   - length: of the periods, in milliseconds.
    ///   - isWanted: whether a period counts, which begins at a moment in milliseconds.
    package func samples(length: Int, where isWanted: (Int) -> Bool) -> [RecordedSample] {
        periods.keys.sorted().filter { isWanted($0 &* length) }.map { period in
            var values: JSONObject = [:]
            for (name, mean) in periods[period] ?? [:] {
                values[name] = .number(value(mean, of: name))
            }
            return RecordedSample(
                at: Timestamp(milliseconds: period &* length), values: values, isMean: true)
        }
    }

    // MARK: Bytes

    /// The bytes: a 1 for the version; the number of periods and which they are; the number of signals; for each
    /// its name, its decimals (0 for as many as it takes, else one more), of how many numbers each mean is, and the means
    /// of more than none.
    package var bytes: [UInt8] {
        let rows = periods.keys.sorted()
        let names = Set(periods.values.flatMap(\.keys)).sorted()
        var writer = BlockWriter()
        writer.write(raw: [Self.version])
        writer.write(count: rows.count)
        writer.write(steps: rows)
        writer.write(count: names.count)
        for name in names {
            let means = rows.map { periods[$0]?[name] ?? Mean(0, of: 0) }
            writer.write(name)
            writer.write(count: decimals[name].map { $0 + 1 } ?? 0)
            writer.write(deltas: means.map(\.count))
            NumberColumn.write(
                means.filter { $0.count > 0 }.map { value($0, of: name) }, to: &writer)
        }
        return writer.bytes
    }

    /// Reads what ``bytes`` wrote.
    package init(_ bytes: [UInt8]) throws(DamagedBlock) {
        var reader = BlockReader(bytes)
        guard try reader.byte() == Self.version else { throw DamagedBlock() }
        let count = try reader.count(upTo: SampleBlock.mostRows)
        let rows = try reader.steps(count)
        guard zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }) else { throw DamagedBlock() }
        let columns = try reader.count(
            upTo: min(SampleBlock.mostColumns, SampleBlock.mostCells / max(count, 1)))
        for _ in 0..<columns {
            let name = try reader.text()
            let decimals = try reader.count(
                upTo: NumberColumn.mostDecimals + Self.moreDecimals + 1)
            if decimals > 0 { self.decimals[name] = decimals - 1 }
            let counts = try reader.deltas(count)
            guard counts.allSatisfy((0...Self.mostSamples).contains) else { throw DamagedBlock() }
            let known = zip(rows, counts).filter { $0.1 > 0 }
            let means = try NumberColumn.read(known.count, from: &reader)
            for ((row, count), mean) in zip(known, means) {
                periods[row, default: [:]][name] = Mean(mean, of: count)
            }
        }
        guard reader.rest == 0 else { throw DamagedBlock() }
    }
}

extension Range<Timestamp> {
    /// The time in whole periods of a length since the epoch, all in milliseconds: it begins earlier and ends later, where
    /// that is needed.
    package func whole(_ length: Int) -> Range<Int> {
        let start = lowerBound.milliseconds.period(of: length)
        // Upwards, without an overflow.
        let end = upperBound.milliseconds.period(of: length)
        let isWhole = upperBound.milliseconds % length == 0
        let (first, _) = start.multipliedReportingOverflow(by: length)
        let (last, isTooLate) = (isWhole ? end : end + 1).multipliedReportingOverflow(by: length)
        return first..<Swift.max(first, isTooLate ? .max : last)
    }
}

extension Int {
    /// The number of the period since the epoch in which a moment lies, both in milliseconds.
    package func period(of length: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: length)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
