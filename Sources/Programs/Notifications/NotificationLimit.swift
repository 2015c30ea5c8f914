/// How many notifications leave in an hour: what is too much is dropped and counted. Pure.
struct NotificationLimit: Sendable {
    /// In which so many may leave.
    static let period = Duration.seconds(3_600)

    /// So many may leave.
    let most: Int
    /// When those of the last period left, the oldest first.
    private var sent: [Duration] = []
    /// How many were dropped and not told.
    private(set) var dropped = 0

    /// - Parameter most: at least 1.
    init(most: Int) { self.most = most }

    /// Whether a notification may leave now; else it is counted.
    mutating func admit(at elapsed: Duration) -> Bool {
        if take(at: elapsed) { return true }
        dropped += 1
        return false
    }

    /// How many were dropped, once one more notification may leave that tells it; `nil` before, and where none was.
    mutating func takeDropped(at elapsed: Duration) -> Int? {
        guard dropped > 0, take(at: elapsed) else { return nil }
        defer { dropped = 0 }
        return dropped
    }

    /// When the next one may leave; `nil` for now.
    func opening(at elapsed: Duration) -> Duration? {
        let recent = sent.filter { elapsed - $0 < Self.period }
        return recent.count < most ? nil : recent.first.map { $0 + Self.period }
    }

    private mutating func take(at elapsed: Duration) -> Bool {
        sent.removeAll { elapsed - $0 >= Self.period }
        guard sent.count < most else { return false }
        sent.append(elapsed)
        return true
    }
}
