import DeviceDomain

/// What a sweeping robot is doing.
///
/// Ways lie beside it: what a robot does is looked at in every second, and would be copied with them.
indirect enum SweepingActivity: Sendable {
    /// On the dock; with a cleaning that goes on once there is enough charge.
    case docked(resuming: CleaningJob?)
    /// Standing on the floor.
    case idle
    /// Cleaning.
    case cleaning(CleaningJob)
    /// Driving to a point.
    case moving(Drive)
    /// On its way to the dock.
    case returning(Drive, Homing)
    /// Standing on the floor, to go on with what it was doing.
    case paused(SweepingActivity)
    /// Switched off, its battery empty, for so many milliseconds.
    case off(milliseconds: Int)

    /// Why a robot drives to its dock.
    enum Homing: Sendable {
        /// A command asked for it.
        case commanded
        /// It has nothing else to do.
        case finished
        /// Its battery is low; with a cleaning that goes on after the charge.
        case toCharge(CleaningJob?)
    }

    /// The activity as the state reports it.
    var reported: SweepingRobot.Activity {
        switch self {
        case .docked: .docked
        case .idle, .off: .idle
        case .cleaning: .cleaning
        case .moving: .moving
        case .returning: .returning
        case .paused: .paused
        }
    }

    /// Whether it is on the dock.
    var isDocked: Bool { if case .docked = self { true } else { false } }

    /// Whether it drives.
    var isMoving: Bool {
        switch self {
        case .cleaning, .moving, .returning: true
        case .docked, .idle, .paused, .off: false
        }
    }

    /// The drive that it is on.
    var drive: Drive? {
        switch self {
        case .cleaning(let job): job.approach ?? job.coverage
        case .moving(let drive), .returning(let drive, _): drive
        case .docked, .idle, .paused, .off: nil
        }
    }

    /// The cleaning that it is at, or that it will go on with.
    var job: CleaningJob? {
        switch self {
        case .docked(let job), .returning(_, .toCharge(let job)): job
        case .cleaning(let job): job
        case .paused(let former): former.job
        case .idle, .moving, .returning, .off: nil
        }
    }

    /// What it goes on with after a pause, from where it stands.
    func resumed(from pose: Pose) -> SweepingActivity {
        switch self {
        case .cleaning(var job):
            if let approach = job.approach {
                job.approach = approach.resumed(from: pose)
            } else {
                job.coverage = job.coverage.resumed(from: pose)
            }
            return .cleaning(job)
        case .moving(let drive): return .moving(drive.resumed(from: pose))
        case .returning(let drive, let homing):
            return .returning(drive.resumed(from: pose), homing)
        case .docked, .idle, .paused, .off: return self
        }
    }
}
