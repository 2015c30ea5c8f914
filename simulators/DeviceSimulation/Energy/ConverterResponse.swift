/// How fast a converter follows what it is told: a dead time, then a lag of first order.
struct ResponseTiming: Hashable, Sendable {
    /// The whole seconds of the dead time: 0 or 1.
    let wholeSeconds: Int
    /// The rest of the dead time, in s; below 1.
    let rest: Double
    /// The time constant of the lag, in s.
    let tau: Double
    /// What the lag leaves of a difference after ``rest``, and after the rest of the second.
    fileprivate let decay: (rest: Double, remainder: Double)

    /// - Precondition: the dead time is below 2 s and `tau` is above 0.
    init(deadTime: Double, tau: Double) {
        precondition(deadTime >= 0 && deadTime < 2 && tau > 0, "dead time 0..<2 s, tau above 0")
        wholeSeconds = Int(deadTime)
        rest = deadTime - Double(wholeSeconds)
        self.tau = tau
        decay = (
            Mathematics.exponential(-rest / tau), Mathematics.exponential(-(1 - rest) / tau)
        )
    }

    static func == (left: Self, right: Self) -> Bool {
        left.wholeSeconds == right.wholeSeconds && left.rest == right.rest && left.tau == right.tau
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(wholeSeconds)
        hasher.combine(rest)
        hasher.combine(tau)
    }
}

/// The power of a converter that follows its setpoint. It is solved exactly for whole seconds with one
/// setpoint each, so that it needs no shorter steps and no exponential in any of them.
struct ConverterResponse: Hashable, Sendable {
    /// The power at the end of the last second, in W.
    private(set) var powerW = 0.0
    /// The setpoints of the last two seconds, the newer one first, in W.
    private var earlierW = 0.0
    private var earliestW = 0.0

    /// One second with a new setpoint.
    /// - Returns: the mean power of that second, in W.
    mutating func follow(setpointW: Double, _ timing: ResponseTiming) -> Double {
        let isLate = timing.wholeSeconds == 1
        let (old, new) = (isLate ? earliestW : earlierW, isLate ? earlierW : setpointW)
        (earliestW, earlierW) = (earlierW, setpointW)
        let middleW = old + (powerW - old) * timing.decay.rest
        let endW = new + (middleW - new) * timing.decay.remainder
        // The integral of an exponential is its time constant times the difference of its ends.
        let mean =
            old * timing.rest + (powerW - middleW) * timing.tau
            + new * (1 - timing.rest) + (middleW - endW) * timing.tau
        powerW = endW
        return mean
    }

    /// The converter is at this power at once: where it forms the grid itself, or is blocked.
    mutating func jump(toW watts: Double) {
        powerW = watts
        earlierW = watts
        earliestW = watts
    }
}
