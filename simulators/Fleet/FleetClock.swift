import Basics
package import DeviceDomain
package import DeviceSimulation
import Glibc

/// Where the devices' clocks come from, and how fast the world's goes.
///
/// The world clock stands at its epoch until ``begin(at:)``, then follows the monotonic clock: a step of the wall
/// clock changes no physics. Processes of one machine whose clocks begin and resume at the same monotonic time show the
/// same.
package final class FleetClock: Sendable {
    private enum State {
        /// It stands at the epoch.
        case waiting
        /// It goes on from an instant that it showed at a monotonic time.
        case running(from: Timestamp, at: Duration)
        /// It stands still.
        case paused(Timestamp)
    }

    /// What the world clock shows at first.
    package let epoch: Timestamp
    /// World seconds per second, while the world goes on.
    package let speed: Double
    /// Where the world clock stops; `nil` for nowhere.
    package let end: Timestamp?
    private let wire: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> Duration
    private let state = Guarded(State.waiting)

    /// - Parameters:
    ///   - epoch: what the world clock shows at first.
    ///   - speed: world seconds per second of the monotonic clock; above 0.
    ///   - end: where the world clock stops.
    ///   - wire: tells the wall time.
    ///   - monotonic: tells the monotonic time.
    package init(
        epoch: Timestamp, speed: Double = 1, end: Timestamp? = nil,
        wire: @escaping @Sendable () -> Timestamp, monotonic: @escaping @Sendable () -> Duration
    ) {
        precondition(speed > 0, "the world has to go on")
        self.epoch = epoch
        self.speed = speed
        self.end = end
        self.wire = wire
        self.monotonic = monotonic
    }

    /// Real time; the world starts now, or at its epoch.
    package static func system(
        epoch: Timestamp? = nil, speed: Double = 1, end: Timestamp? = nil
    ) -> FleetClock {
        FleetClock(
            epoch: epoch ?? wall, speed: speed, end: end, wire: { wall },
            monotonic: { reading(of: CLOCK_MONOTONIC) })
    }

    /// Real time for a run.
    /// - Parameters:
    ///   - epoch: where the world is to start; `nil` for now.
    ///   - last: the last instant of its journal, before which it does not go back.
    ///   - speed: world seconds per second.
    ///   - duration: how long the run takes, in seconds of the monotonic clock; the world stops where it is then.
    package static func forRun(
        epoch: Timestamp?, after last: Timestamp?, speed: Double, lasting duration: Duration?
    ) -> FleetClock {
        let start = max(epoch ?? wall, last ?? Timestamp(milliseconds: .min))
        let end = duration.map { duration in
            start.advanced(by: .milliseconds(Int((duration.seconds * speed * 1000).rounded())))
        }
        return system(epoch: start, speed: speed, end: end)
    }

    /// All clocks of the devices at this moment.
    package var now: DeviceMoment {
        let (wire, monotonic) = (wire(), monotonic())
        return state.withLock { state in
            let world = world(of: state, at: monotonic)
            return DeviceMoment(
                wire: wire, world: world, monotonic: monotonic,
                pace: pace(of: state, showing: world))
        }
    }

    /// Whether it was paused.
    package var isPaused: Bool {
        state.withLock { if case .paused = $0 { true } else { false } }
    }

    /// The monotonic time, in whole microseconds, so that it can be told to other processes.
    package var monotonicTime: Duration {
        .microseconds(Int64(monotonic() / .microseconds(1)))
    }

    /// Lets the world go on from its epoch, unless it has begun.
    /// - Parameter time: the monotonic time at which it showed the epoch; `nil` for now.
    package func begin(at time: Duration? = nil) {
        let time = time ?? monotonic()
        state.withLock { state in
            guard case .waiting = state else { return }
            state = .running(from: epoch, at: time)
        }
    }

    /// Lets the world stand still.
    /// - Returns: what its clock shows now.
    @discardableResult
    package func pause() -> Timestamp {
        let monotonic = monotonic()
        return state.withLock { state in
            let world = world(of: state, at: monotonic)
            state = .paused(world)
            return world
        }
    }

    /// Lets a world go on that stood still.
    /// - Parameter time: the monotonic time at which it shows what it showed; `nil` for now.
    package func resume(at time: Duration? = nil) {
        let time = time ?? monotonic()
        state.withLock { state in
            guard case .paused(let world) = state else { return }
            state = .running(from: world, at: time)
        }
    }

    /// Sets a world forward that stands still.
    package func advance(to instant: Timestamp) {
        state.withLock { state in
            guard case .paused(let world) = state else { return }
            state = .paused(max(world, end.map { min(instant, $0) } ?? instant))
        }
    }

    private func world(of state: State, at monotonic: Duration) -> Timestamp {
        switch state {
        case .waiting: return epoch
        case .paused(let world): return world
        case .running(let world, let start):
            // To the nearest millisecond: a wake at an instant must not find the clock just before it.
            let passed = max(monotonic - start, .zero).seconds * speed
            let shown = world.advanced(by: .milliseconds(Int((passed * 1000).rounded())))
            return end.map { min(shown, $0) } ?? shown
        }
    }

    private func pace(of state: State, showing world: Timestamp) -> Double {
        switch state {
        case .waiting, .paused: 0
        case .running: world == end ? 0 : speed
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
