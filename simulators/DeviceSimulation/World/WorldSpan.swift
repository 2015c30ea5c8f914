package import DeviceDomain

/// A stretch of simulated time.
package struct WorldSpan: Hashable, Sendable {
    /// The world clock at its end.
    package let end: Timestamp
    /// How long the world went on, in seconds; not negative, and not more than
    /// ``WorldClock/longestSpan``.
    package let seconds: Double

    package init(end: Timestamp, seconds: Double) {
        self.end = end
        self.seconds = seconds
    }
}

/// Computes how much simulated time passes between two moments.
package struct WorldClock: Hashable, Sendable {
    private var last: DeviceMoment

    /// The longest span that is simulated at once, in seconds. After a longer pause, as in a suspended
    /// process, the rest is skipped.
    package static let longestSpan = 3600.0

    package init(at moment: DeviceMoment) { last = moment }

    /// The stretch since the last call.
    ///
    /// A world clock that equals the wall clock runs in real time; then the monotonic clock tells
    /// how much time passed, so that a jump of the wall clock moves no device.
    package mutating func advance(to moment: DeviceMoment) -> WorldSpan {
        let isRealTime = last.world == last.wire && moment.world == moment.wire
        let passed =
            isRealTime
            ? moment.monotonic - last.monotonic : moment.world.since(last.world)
        last = moment
        return WorldSpan(
            end: moment.world, seconds: min(max(passed.seconds, 0), Self.longestSpan))
    }
}
