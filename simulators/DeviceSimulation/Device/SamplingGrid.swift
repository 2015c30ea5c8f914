import Basics
import DeviceDomain

/// Fixed instants of the world clock, one per interval.
struct SamplingGrid: Hashable, Sendable {
    /// The time from one instant to the next, at least 100 ms.
    let interval: Duration
    /// The same in milliseconds.
    let step: Int
    private let offset: Int

    /// - Parameter phase: spreads the devices of a fleet over the interval.
    init(every interval: Duration, phase: UInt64) {
        self.interval = max(interval, .milliseconds(100))
        step = self.interval.wholeMilliseconds
        offset = Int(phase % UInt64(step))
    }

    /// The instants of a device: by its name, or by that of its home, whose devices then sample together.
    init(every interval: Duration, of identity: DeviceIdentity, withItsHome: Bool) {
        let purpose = "telemetry"
        var generator =
            withItsHome
            ? SeededGenerator(seed: 0, home: identity.home, purpose: purpose)
            : SeededGenerator(seed: 0, identity: identity, purpose: purpose)
        self.init(every: interval, phase: generator.next())
    }

    /// The first instant after `world`.
    func next(after world: Timestamp) -> Timestamp {
        let into = (world.milliseconds - offset) % step
        return Timestamp(milliseconds: world.milliseconds - (into < 0 ? into + step : into) + step)
    }
}
