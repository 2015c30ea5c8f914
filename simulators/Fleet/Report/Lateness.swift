import DeviceMessages

/// How late the samples of a run were made, counted in whole milliseconds.
package struct Lateness: Hashable, Sendable {
    /// Samples by lateness; what is later than the last one counts there.
    private var counts = [Int](repeating: 0, count: 10_001)
    private var largest = 0

    package init() {}

    /// Counts a sample that was made so long after its instant.
    mutating func add(milliseconds: Int) {
        counts[min(max(milliseconds, 0), counts.count - 1)] += 1
        largest = max(largest, milliseconds)
    }

    /// The lateness that a share of the samples does not exceed, in ms; 0 without samples.
    func quantile(_ share: Double) -> Int {
        let total = counts.reduce(0, +)
        var seen = 0
        for (milliseconds, count) in counts.enumerated() {
            seen += count
            if seen > 0, Double(seen) >= share * Double(total) { return milliseconds }
        }
        return 0
    }

    func write(to json: inout JSONWriter) {
        for (name, value) in [("p50", quantile(0.5)), ("p99", quantile(0.99)), ("max", largest)] {
            json.writeName(name)
            json.write(value)
        }
    }
}
