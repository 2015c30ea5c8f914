import Basics
package import DeviceDomain
package import DeviceSimulation
import Glibc

/// Where the devices' clocks come from, and how fast the world's goes.
///
/// The world clock starts at its epoch and then follows the monotonic clock: a step of the wall clock changes no
/// physics.
package final class FleetClock: Sendable {
    /// From where on the world clock goes at one pace.
    private struct Stretch {
        var world: Timestamp
        var monotonic: Duration
        /// World seconds per second; kept while the world stands still.
        let speed: Double
        var isPaused = false

        var pace: Double { isPaused ? 0 : speed }

        func world(at monotonic: Duration) -> Timestamp {
            // To the nearest millisecond: a wake at an instant must not find the clock just before it.
            let passed = (monotonic - self.monotonic).seconds * pace
            return world.advanced(by: .milliseconds(Int((passed * 1000).rounded())))
        }

        /// Begins another stretch where this one has come to.
        mutating func begin(at monotonic: Duration) {
            (world, self.monotonic) = (world(at: monotonic), monotonic)
        }
    }

    /// What the world clock showed at first.
    package let epoch: Timestamp
    private let wire: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> Duration
    private let stretch: Guarded<Stretch>

    /// - Parameters:
    ///   - epoch: what the world clock shows at first.
    ///   - speed: world seconds per second of the monotonic clock; above 0.
    ///   - wire: tells the wall time.
    ///   - monotonic: tells the monotonic time.
    package init(
        epoch: Timestamp, speed: Double = 1, wire: @escaping @Sendable () -> Timestamp,
        monotonic: @escaping @Sendable () -> Duration
    ) {
        precondition(speed > 0, "the world has to go on")
        self.epoch = epoch
        self.wire = wire
        self.monotonic = monotonic
        stretch = Guarded(Stretch(world: epoch, monotonic: monotonic(), speed: speed))
    }

    /// Real time; the world starts now, or at its epoch.
    package static func system(epoch: Timestamp? = nil, speed: Double = 1) -> FleetClock {
        FleetClock(
            epoch: epoch ?? wall, speed: speed, wire: { wall },
            monotonic: { reading(of: CLOCK_MONOTONIC) })
    }

    /// All clocks of the devices at this moment.
    package var now: DeviceMoment {
        let (wire, monotonic) = (wire(), monotonic())
        return stretch.withLock { stretch in
            DeviceMoment(
                wire: wire, world: stretch.world(at: monotonic), monotonic: monotonic,
                pace: stretch.pace)
        }
    }

    /// Lets the world stand still, or go on.
    package func setPaused(_ isPaused: Bool) {
        let monotonic = monotonic()
        stretch.withLock { stretch in
            stretch.begin(at: monotonic)
            stretch.isPaused = isPaused
        }
    }

    /// Sets the world forward.
    package func skip(_ duration: Duration) {
        let monotonic = monotonic()
        stretch.withLock { stretch in
            stretch.begin(at: monotonic)
            stretch.world = stretch.world.advanced(by: duration)
        }
    }

    private static var wall: Timestamp {
        Timestamp(milliseconds: reading(of: CLOCK_REALTIME).wholeMilliseconds)
    }

    private static func reading(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
