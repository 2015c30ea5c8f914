package import DeviceDomain
import DeviceMessages

/// Times in whole milliseconds, counted in classes: exact below 256 ms, above to less than one percent.
package struct MillisecondHistogram: Hashable, Sendable {
    /// Each power of two from 256 on has so many classes.
    private static let resolution = 128

    /// Times by class, as far as there are any.
    private var counts: [Int] = []
    /// How many times were counted.
    package private(set) var total = 0
    /// Their sum, ms.
    package private(set) var sum = 0
    /// The longest, ms; 0 without any.
    package private(set) var largest = 0

    package init() {}

    /// Counts a time; one below zero as zero.
    package mutating func add(milliseconds: Int) {
        let time = max(milliseconds, 0)
        count(1, in: Self.place(of: time))
        sum += time
        largest = max(largest, time)
    }

    /// Counts the times of another one too.
    package mutating func merge(_ other: MillisecondHistogram) {
        for (place, number) in other.counts.enumerated() where number > 0 {
            count(number, in: place)
        }
        sum += other.sum
        largest = max(largest, other.largest)
    }

    /// The time that a share of all does not exceed, in ms; 0 without any.
    package func quantile(_ share: Double) -> Int {
        var seen = 0
        for (place, number) in counts.enumerated() {
            seen += number
            if seen > 0, Double(seen) >= share * Double(total) {
                return min(Self.longest(in: place), largest)
            }
        }
        return 0
    }

    /// How many are no longer than this, by their classes.
    func count(upTo milliseconds: Int) -> Int {
        counts.enumerated().prefix { Self.longest(in: $0.offset) <= milliseconds }
            .reduce(0) { $0 + $1.element }
    }

    private mutating func count(_ number: Int, in place: Int) {
        if place >= counts.count {
            counts += [Int](repeating: 0, count: place + 1 - counts.count)
        }
        counts[place] += number
        total += number
    }

    private static func place(of time: Int) -> Int {
        guard time >= 2 * resolution else { return time }
        let exponent = Int.bitWidth - 1 - time.leadingZeroBitCount - resolution.trailingZeroBitCount
        return exponent * resolution + time >> exponent
    }

    private static func longest(in place: Int) -> Int {
        guard place >= 2 * resolution else { return place }
        let exponent = place / resolution - 1
        return (place - exponent * resolution + 1) << exponent - 1
    }
}

extension MillisecondHistogram {
    /// The quantiles as a report names them, and `max`.
    static let reportedLateness = [("p50", 0.5), ("p99", 0.99)]
    /// The same for commands.
    static let reportedLatency = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("p9999", 0.9999),
    ]

    func write(_ quantiles: [(name: String, share: Double)], to json: inout JSONWriter) {
        json.writeObject { json in
            for (name, share) in quantiles {
                json.writeName(name)
                json.write(quantile(share))
            }
            json.writeName("max")
            json.write(largest)
        }
    }

    /// As one process tells it to another.
    package var members: JSONObject {
        let present = counts.enumerated().filter { $0.element > 0 }
        return [
            "classes": .array(present.map { .integer($0.offset) }),
            "counts": .array(present.map { .integer($0.element) }),
            "sum": .integer(sum), "max": .integer(largest),
        ]
    }

    /// What another process has told; what is no count of times is left out.
    package init(_ members: JSONObject) {
        let places = members["classes"]?.array?.compactMap(\.integer) ?? []
        let numbers = members["counts"]?.array?.compactMap(\.integer) ?? []
        for (place, number) in zip(places, numbers)
        where (0..<100_000).contains(place) && number > 0 {
            count(number, in: place)
        }
        sum = members["sum"]?.integer ?? 0
        largest = members["max"]?.integer ?? 0
    }
}
