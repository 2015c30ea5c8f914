/// Which of several brokers to connect to next: after a failure the next in the list, cyclically; after a
/// stable connection the first.
struct BrokerRotation {
    private let count: UInt16
    private var current: UInt16 = 0
    private var next: UInt16 = 0

    init(count: Int) {
        self.count = UInt16(clamping: max(1, count))
    }

    /// The index of the present broker.
    var index: Int { Int(current) }

    /// An attempt or a connection failed, and there will be another attempt.
    mutating func failed(afterStableConnection wasStable: Bool) {
        next = wasStable ? 0 : (current + 1) % count
    }

    /// The next attempt starts.
    mutating func proceed() {
        current = next
    }

    /// Starts again with the first broker.
    mutating func restart() {
        current = 0
        next = 0
    }
}
