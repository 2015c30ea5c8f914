import DeviceDomain

/// When the periodic work of a device is due.
///
/// Samples are taken at fixed instants of the world clock, so that their phase is the same in every
/// boot and in every process; all other times are of the monotonic clock.
struct Timetable: Hashable, Sendable {
    /// How often an action says that it goes on, and a waiting one that it waits: well within the
    /// 30 s of PROTOCOL section 2.
    static let progressInterval = Duration.seconds(10)
    /// The least time between two publishes of a state of one revision (PROTOCOL section 2).
    static let measuredInterval = Duration.seconds(30)
    /// How often what survives a restart beside the state is recorded.
    static let memoryInterval = Duration.seconds(300)
    /// The least time between two searches for entries whose life is over.
    static let evictionInterval = Duration.seconds(10)
    /// The longest time between two steps of the world.
    static let longestStep = Duration.seconds(60)

    /// When telemetry is sampled.
    private let grid: SamplingGrid
    /// When the next sample is due (world clock).
    private var nextTelemetry: Timestamp
    /// When the world was last stepped.
    var lastStep: Duration
    /// When the state was last published.
    var lastState: Duration
    /// When the memory is recorded next.
    private(set) var nextMemory: Duration
    private var nextEviction: Duration

    /// - Parameter grid: when telemetry is sampled.
    init(grid: SamplingGrid, at start: DeviceMoment) {
        self.grid = grid
        nextTelemetry = grid.next(after: start.world)
        lastStep = start.monotonic
        lastState = start.monotonic
        nextMemory =
            start.monotonic + nextTelemetry.since(start.world) + Self.memoryInterval
        nextEviction = start.monotonic
    }

    /// When the world wants its next step.
    func nextStep(every interval: Duration?) -> Duration {
        lastStep + (interval ?? Self.longestStep)
    }

    /// How long until the next sample.
    func timeToTelemetry(at world: Timestamp) -> Duration {
        max(nextTelemetry.since(world), .zero)
    }

    /// The instant of the sample that is due, if one is; the one after it is set, and missed ones
    /// are left out.
    mutating func takeTelemetry(at world: Timestamp) -> Timestamp? {
        let next = grid.next(after: world)
        defer { nextTelemetry = next }
        return nextTelemetry <= world ? next.advanced(by: .zero - grid.interval) : nil
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

    /// Whether the state may be published for its measured members alone.
    func allowsMeasuredState(at now: Duration) -> Bool {
        now - lastState >= Self.measuredInterval
    }
}
