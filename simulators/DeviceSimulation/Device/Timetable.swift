import DeviceDomain

/// When the periodic work of a device is due.
///
/// What belongs to the world is due at instants of the world clock: whole seconds and sampling instants. They
/// are the same in every boot and in every process. What belongs to the device's record is due by the
/// monotonic clock.
struct Timetable: Hashable, Sendable {
    /// How often an action says that it goes on, and a waiting one that it waits: well within the
    /// 30 s of PROTOCOL section 2.
    static let progressInterval = Duration.seconds(10)
    /// How often what survives a restart beside the state is recorded.
    static let memoryInterval = Duration.seconds(300)
    /// The longest stretch of the world that is made up for at once, in order that none is left out as too long.
    static let longestStretch = Duration.seconds(60)
    /// The least time between two searches for entries whose life is over.
    static let evictionInterval = Duration.seconds(10)

    /// When telemetry is sampled.
    private let grid: SamplingGrid
    /// The last instant to which the world has come; at first when the device was switched on.
    private(set) var reached: Timestamp
    /// The next sampling instant.
    private(set) var nextSample: Timestamp
    /// When the memory is recorded next.
    private(set) var nextMemory: Duration
    private var nextEviction: Duration

    /// - Parameter grid: when telemetry is sampled.
    init(grid: SamplingGrid, at start: DeviceMoment) {
        self.grid = grid
        reached = start.world
        nextSample = grid.next(after: start.world)
        nextMemory = start.monotonic + nextSample.since(start.world) + Self.memoryInterval
        nextEviction = start.monotonic
    }

    /// Whether so many samples follow on an instant by the present moment that it is left out.
    /// - Parameter count: how many follow at most.
    func isTooLate(_ instant: Timestamp, at present: Timestamp, following count: Int) -> Bool {
        present.milliseconds - instant.milliseconds >= grid.step * count
    }

    /// The next whole second of the world clock.
    var nextSecond: Timestamp { reached.nextWholeSecond }

    /// When the world is to go on at the latest.
    var latestStep: Timestamp { reached.advanced(by: Self.longestStretch) }

    /// The next instant.
    var nextInstant: Timestamp { min(nextSecond, nextSample) }

    /// Goes on to the next instant.
    /// - Returns: the stretch of time until there.
    mutating func advance(to instant: Timestamp) -> WorldSpan {
        defer {
            reached = instant
            if nextSample <= instant { nextSample = grid.next(after: instant) }
        }
        let milliseconds = instant.milliseconds - reached.milliseconds
        return WorldSpan(end: instant, seconds: Double(milliseconds) / 1000)
    }

    /// Leaves out a stretch of time.
    /// - Returns: the sampling instants in it.
    mutating func skip(to world: Timestamp) -> Int {
        let former = nextSample
        reached = world
        nextSample = max(former, grid.next(after: world))
        return Int(nextSample.since(former) / grid.interval)
    }

    /// Whether the memory is to be recorded; the next time is set.
    mutating func takeMemory(at now: Duration) -> Bool {
        guard nextMemory <= now else { return false }
        nextMemory = now + Self.memoryInterval
        return true
    }

    /// Whether to look for entries whose life is over; the next time is set.
    mutating func takeEviction(at now: Duration) -> Bool {
        guard nextEviction <= now else { return false }
        nextEviction = now + Self.evictionInterval
        return true
    }
}

/// The earlier of two times, as far as there are any.
func earliest<Time: Comparable>(_ one: Time?, _ other: Time?) -> Time? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}

extension Timestamp {
    /// The last whole second that is not after it.
    var wholeSecond: Timestamp {
        let rest = milliseconds % 1000
        return Timestamp(milliseconds: milliseconds - (rest < 0 ? rest + 1000 : rest))
    }

    /// The first whole second after it.
    var nextWholeSecond: Timestamp {
        Timestamp(milliseconds: wholeSecond.milliseconds + 1000)
    }
}
