import DeviceDomain

/// A cleaning or a drive that a sweeping robot was asked for.
struct SweepingJob: Hashable, Sendable {
    /// What the job is.
    enum Kind: Hashable, Sendable {
        /// Rooms, or a spot.
        case cleaning
        /// A drive to a point.
        case travel
    }

    /// What it is.
    let kind: Kind
    /// The way that is left of it.
    var route: SweepingRoute
    /// The way back to where it was left, after a charge in between.
    var approach: SweepingRoute?

    /// Whether all of it is driven.
    var isOver: Bool { route.isOver }
}

/// What a sweeping robot is doing.
enum SweepingActivity: Hashable, Sendable {
    /// On the dock; with a job that goes on once there is enough charge.
    case docked(resuming: SweepingJob?)
    /// Standing on the floor.
    case idle
    /// At work.
    case working(SweepingJob)
    /// On its way to the dock; with a job that it left for a charge.
    case returning(SweepingRoute, resuming: SweepingJob?)
    /// Standing on the floor, to go on with what it was doing.
    indirect case paused(SweepingActivity)

    /// The activity as the state reports it; a drive to a point cleans nothing and is `idle`.
    var reported: SweepingRobot.Activity {
        switch self {
        case .docked: .docked
        case .idle: .idle
        case .working(let job): job.kind == .cleaning ? .cleaning : .idle
        case .returning: .returning
        case .paused: .paused
        }
    }

    /// Whether it is on the dock.
    var isDocked: Bool { if case .docked = self { true } else { false } }

    /// Whether it drives.
    var isMoving: Bool {
        switch self {
        case .working, .returning: true
        case .docked, .idle, .paused: false
        }
    }

    /// The job that it is at, or that it will go on with.
    var job: SweepingJob? {
        switch self {
        case .docked(let job), .returning(_, let job): job
        case .working(let job): job
        case .paused(let former): former.job
        case .idle: nil
        }
    }
}
