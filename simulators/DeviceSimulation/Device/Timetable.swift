import DeviceDomain

/// When a device does what it does by itself; all times are of the monotonic clock.
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

    /// How often telemetry is sampled.
    let telemetryInterval: Duration
    /// When the next sample is due.
    private(set) var nextTelemetry: Duration
    /// When the world was last stepped.
    var lastStep: Duration
    /// When the state was last published.
    var lastState: Duration
    /// When the memory is recorded next.
    private(set) var nextMemory: Duration
    private var nextEviction: Duration

    /// - Parameter phase: spreads the devices of a fleet over the interval.
    init(telemetryInterval: Duration, phase: UInt64, at start: Duration) {
        self.telemetryInterval = max(telemetryInterval, .milliseconds(100))
        let milliseconds = self.telemetryInterval.wholeMilliseconds
        let offset = Duration.milliseconds(Int(phase % UInt64(milliseconds)))
        nextTelemetry = start + offset
        lastStep = start
        lastState = start
        nextMemory = start + offset + Self.memoryInterval
        nextEviction = start
    }

    /// When the world wants its next step.
    func nextStep(every interval: Duration?) -> Duration {
        lastStep + (interval ?? max(telemetryInterval, Self.longestStep))
    }

    /// Whether a sample is due; the one after it is set, and missed ones are left out.
    mutating func takeTelemetry(at now: Duration) -> Bool {
        guard nextTelemetry <= now else { return false }
        nextTelemetry += telemetryInterval
        if nextTelemetry <= now { nextTelemetry = now + telemetryInterval }
        return true
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
