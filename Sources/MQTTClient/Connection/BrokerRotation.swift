/// Which of several brokers comes next: the one behind the one that failed, round and round; after a
/// connection that was stable the first.
struct BrokerRotation {
    private let count: UInt16
    private var current: UInt16 = 0
    private var next: UInt16 = 0

    init(count: Int) {
        self.count = UInt16(clamping: max(1, count))
    }

    /// The place of the present broker in the list.
    var index: Int { Int(current) }

    /// An attempt or a connection failed that will be followed by another one.
    mutating func failed(afterStableConnection wasStable: Bool) {
        next = wasStable ? 0 : (current + 1) % count
    }

    /// The next attempt begins.
    mutating func proceed() {
        current = next
    }

    /// Begins with the first again.
    mutating func restart() {
        current = 0
        next = 0
    }
}
