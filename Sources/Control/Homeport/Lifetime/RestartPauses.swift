/// How long to wait before a closed channel is opened again. The pauses double and are random, so
/// that many homes do not reconnect at once.
struct RestartPauses: Sendable {
    private static let floor = Duration.seconds(1)
    private static let first = Duration.seconds(4)
    private static let cap = Duration.seconds(60)

    private var ends = 0

    /// The pause after the channel has closed once more.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let bound = min(Self.cap, Self.first * (1 << min(ends, 8)))
        ends += 1
        return Self.floor + bound * Double.random(in: 0...1, using: &generator)
    }

    /// The channel has connected: the next pause is short again.
    mutating func restart() { ends = 0 }
}
