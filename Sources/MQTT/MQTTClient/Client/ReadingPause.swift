/// The subscriptions whose full buffers keep the socket from being read, and the limit of that time.
struct ReadingPause {
    private(set) var full: Set<UInt64> = []
    private var timer: MQTTTimer?

    /// A buffer is full.
    /// - Parameter limit: makes the timer that ends the pause; called for the first of them.
    mutating func begin(for number: UInt64, limit: () -> MQTTTimer) {
        full.insert(number)
        if timer == nil { timer = limit() }
    }

    /// A buffer has room again.
    /// - Returns: whether the socket may be read.
    mutating func end(for number: UInt64) -> Bool {
        full.remove(number)
        if full.isEmpty { cancelTimer() }
        return full.isEmpty
    }

    /// The socket is read all the same.
    /// - Returns: the subscriptions that are still full.
    mutating func end() -> Set<UInt64> {
        cancelTimer()
        defer { full = [] }
        return full
    }

    private mutating func cancelTimer() {
        timer?.cancel()
        timer = nil
    }
}
