/// How long a view rests before it begins again where its channel gave up: like the channel's own pauses
/// they double and are random, so that many views do not come back in step.
struct RestartPauses {
    private static let floor = Duration.seconds(1)
    private static let first = Duration.seconds(4)
    private static let cap = Duration.seconds(60)
    /// A view that lasted so long begins with the first pause again.
    private static let stableAfter = Duration.seconds(30)

    private var ends = 0

    /// The pause after a view that lasted for `time`.
    mutating func next(
        after time: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        if time >= Self.stableAfter { ends = 0 }
        let bound = min(Self.cap, Self.first * (1 << min(ends, 8)))
        ends += 1
        return Self.floor + bound * Double.random(in: 0...1, using: &generator)
    }
}
