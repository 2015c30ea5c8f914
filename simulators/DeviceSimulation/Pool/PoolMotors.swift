import DeviceDomain

/// What pump and drive of a pool robot do in one second, what they take, and what they give.
struct PoolMotors: Hashable, Sendable {
    /// What the drive does.
    enum Load: Hashable, Sendable {
        /// Pump and drive are off.
        case nothing
        /// It moves the robot over the floor.
        case driving
        /// It moves the robot up or along a wall.
        case climbing
        /// Its tracks are blocked.
        case stalled
        /// Its tracks have nothing to drive on.
        case free
    }

    /// What the drive does.
    let load: Load
    /// The power level.
    let level: PoolRobot.PowerLevel
    /// The filter.
    let filter: PoolFilter
    /// Whether the pump draws water.
    let isSubmerged: Bool
    /// What the tracks do while they work.
    let tracks: PoolProtection.Tracks

    /// - Parameters:
    ///   - areOn: whether they work.
    ///   - hasLostTrack: whether a track has come off.
    init(
        areOn: Bool, at place: PoolPlace, _ drive: PoolDrive, hasLostTrack: Bool,
        level: PoolRobot.PowerLevel, filter: PoolFilter
    ) {
        self.level = level
        self.filter = filter
        isSubmerged = place == .water && drive.depthM >= 0
        var isStalled: Bool?
        if case .caught(_, _, let stalled) = drive.phase { isStalled = stalled }
        tracks =
            if place.isInPool, hasLostTrack { .free } else {
                isStalled.map { $0 ? .stalled : .slipping } ?? .driving
            }
        guard areOn else {
            load = .nothing
            return
        }
        guard place == .water, !hasLostTrack else {
            load = .free
            return
        }
        load =
            switch drive.phase {
            case .off, .resting, .turning, .driving, .descending, .stranded: .driving
            case .climbing, .following, .holding: .climbing
            case .caught: isStalled == true ? .stalled : .driving
            }
    }

    /// The current of pump and drive of a robot within the tolerances, in A.
    func currentA(_ pump: PoolPumpRatings) -> Double {
        let driving: Double
        switch load {
        case .nothing: return 0
        case .driving: driving = pump.driveCurrent.value
        case .climbing: driving = pump.driveCurrent.value + pump.climbCurrent.value
        case .stalled: driving = pump.stallCurrent.value
        case .free: driving = pump.freeCurrent.value
        }
        return pump.current[level] * pumpShare(pump) + driving
    }

    /// The pump's current as a share of that with an open filter: less in air, more with a clogged filter, and much
    /// more once dirt passes a full one.
    func pumpShare(_ pump: PoolPumpRatings) -> Double {
        guard isSubmerged else { return pump.airShare.value }
        let start = pump.jamStart.value
        let jam = max(0, (filter.percent - start) / (100 - start))
        return 1 + pump.cloggedShare.value * filter.clogged + pump.jamShare.value * jam
    }

    /// How hard the robot works.
    func push(_ ratings: PoolSpecification) -> PoolDrive.Push {
        PoolDrive.Push(
            speed: ratings.drive.levels[level],
            suction: ratings.pump.suction[level] * filter.suction(ratings.filter))
    }
}
