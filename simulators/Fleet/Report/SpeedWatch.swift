import DeviceDomain
import DeviceSimulation

/// Whether the machine keeps up with the speed of the world.
///
/// The world clock does not wait. Where the machine is too slow, devices fall behind it, and what was left out of their
/// world after a long pause is missing. From both follows the speed that was reached.
struct SpeedWatch: Hashable, Sendable {
    /// What is worth a line.
    enum Change: Hashable, Sendable {
        /// Devices fall behind; so many world seconds per second are reached.
        case behind(reached: Double)
        /// Devices have caught up.
        case caughtUp
    }

    private enum State: Hashable {
        case keepingUp
        /// Since a moment of the monotonic clock.
        case behind(since: Duration)
    }

    /// A stretch of time in which devices were behind (monotonic clock).
    struct Delay: Hashable, Sendable {
        /// When it began.
        let start: Duration
        /// How long it took, as far as it was looked at.
        var length: Duration
    }

    /// Over which time a speed is measured.
    private static let window = Duration.seconds(5)
    /// How late devices may be while they keep up: what a busy machine does now and then.
    private static let toleratedLag = Duration.seconds(1)
    /// The least share of the speed at which devices keep up.
    private static let leastShare = 0.98

    /// World seconds per second that were asked for.
    let speed: Double
    /// World seconds per second, as far as measured.
    private(set) var reached: Double
    /// The lowest speed while devices were behind; `nil` where they never were.
    private(set) var lowest: Double?
    /// The longest time for which devices were behind; `nil` where they never were.
    private(set) var longest: Delay?
    private var state = State.keepingUp
    private var start: Duration?
    private var startLag = Duration.zero
    private var leftOut = Duration.zero

    init(speed: Double) {
        self.speed = speed
        reached = speed
    }

    /// Forgets the present measurement: the world stood still, or was set forward.
    mutating func restart() { (start, leftOut) = (nil, .zero) }

    /// Notes wall time for which the world of a device was left out.
    mutating func leaveOut(_ time: Duration) { leftOut += time }

    /// Notes how late the device is that is to be woken first.
    mutating func note(lag: Duration, at now: Duration) -> Change? {
        guard let begin = start else {
            (start, startLag) = (now, lag)
            return nil
        }
        let passed = now - begin
        guard passed >= Self.window else { return nil }
        let lost = lag - startLag + leftOut
        reached = min(speed, speed * max(0, 1 - lost.seconds / passed.seconds))
        (start, startLag, leftOut) = (now, lag, .zero)
        return change(lag, from: begin, at: now)
    }

    private mutating func change(
        _ lag: Duration, from begin: Duration, at now: Duration
    ) -> Change? {
        switch state {
        case .keepingUp:
            guard lag > Self.toleratedLag, reached < Self.leastShare * speed else { return nil }
            state = .behind(since: begin)
            lowest = min(lowest ?? reached, reached)
            noteDelay(since: begin, at: now)
            return .behind(reached: reached)
        case .behind(let start):
            lowest = min(lowest ?? reached, reached)
            noteDelay(since: start, at: now)
            guard lag <= Self.toleratedLag else { return nil }
            state = .keepingUp
            return .caughtUp
        }
    }

    private mutating func noteDelay(since start: Duration, at now: Duration) {
        guard now - start > longest?.length ?? .zero else { return }
        longest = Delay(start: start, length: now - start)
    }
}

extension SpeedWatch {
    /// Notes when the device was due that is to be woken first.
    /// - Returns: what people are told.
    mutating func note(due: Duration, at now: DeviceMoment) -> FleetNotice? {
        guard now.pace > 0 else { return nil }
        return switch note(lag: max(now.monotonic - due, .zero), at: now.monotonic) {
        case .behind(let reached): .behind(reached: reached, wanted: speed)
        case .caughtUp: .caughtUp(speed: speed)
        case nil: nil
        }
    }

    /// Notes what the device of one of so many homes leaves out of its world, whose last instant this was.
    mutating func noteWhatIsLeftOut(after instant: Timestamp, at now: DeviceMoment, homes: Int) {
        let leftOut = now.world.since(instant) - SimulatedDevice.longestPause
        guard now.pace > 0, leftOut > .zero else { return }
        leaveOut(leftOut / now.pace / homes)
    }
}
