import DeviceDomain
package import DeviceSimulation
import Glibc

/// Where the devices' clocks come from.
package struct FleetClock: Sendable {
    private let read: @Sendable () -> DeviceMoment

    /// A clock that `read` tells.
    package init(_ read: @escaping @Sendable () -> DeviceMoment) { self.read = read }

    /// All clocks of the devices at this moment.
    package var now: DeviceMoment { read() }

    /// Real time. The world clock starts at the wall clock and then follows the monotonic one: a
    /// step of the wall clock changes no physics.
    package static func system() -> FleetClock {
        let worldStart = wall
        let start = monotonic
        return FleetClock {
            let now = monotonic
            return DeviceMoment(
                wire: wall, world: worldStart.advanced(by: now - start), monotonic: now)
        }
    }

    private static var wall: Timestamp {
        Timestamp(milliseconds: reading(of: CLOCK_REALTIME).wholeMilliseconds)
    }

    private static var monotonic: Duration { reading(of: CLOCK_MONOTONIC) }

    private static func reading(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
