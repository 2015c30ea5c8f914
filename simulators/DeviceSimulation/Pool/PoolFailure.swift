import DeviceDomain
import DeviceMessages

/// Why a pool robot has stopped itself. The codes are those of PROTOCOL section 5.
enum PoolFailure: String, Hashable, Sendable, CaseIterable {
    /// Its pump ran out of the water.
    case outOfWater = "OUT_OF_WATER"
    /// It moved nowhere.
    case stuck = "STUCK"
    /// Dirt blocks the impeller, because the filter is full.
    case impellerOverload = "IMPELLER_OVERLOAD"
    /// The pump draws air under water.
    case impellerUnderload = "IMPELLER_UNDERLOAD"
    /// The tracks are blocked.
    case driveOverload = "DRIVE_OVERLOAD"
    /// The tracks have no load: one has come off.
    case driveUnderload = "DRIVE_UNDERLOAD"
    /// The supply is too hot.
    case supplyOverheat = "SUPPLY_OVERHEAT"

    /// The code with which a running action fails.
    var ackCode: AckCode {
        switch self {
        case .stuck: .stuck
        case .outOfWater, .impellerOverload, .impellerUnderload, .driveOverload, .driveUnderload,
            .supplyOverheat:
            .hardwareFault
        }
    }

    /// The event that tells of it.
    var event: EventName {
        switch self {
        case .outOfWater: .outOfWater
        case .stuck: .stuck
        case .impellerOverload, .impellerUnderload, .driveOverload, .driveUnderload,
            .supplyOverheat:
            .fault
        }
    }

    /// What is wrong and what to do, for people.
    var message: String {
        switch self {
        case .outOfWater: "the pump ran dry; put the robot into the water"
        case .stuck: "the robot cannot move; free it"
        case .impellerOverload: "the impeller is blocked; empty the filter"
        case .impellerUnderload: "the pump draws air; let the air out of the robot"
        case .driveOverload: "the tracks are blocked; free them"
        case .driveUnderload: "a track has come off; replace it"
        case .supplyOverheat: "the supply is too hot; put it into the shade"
        }
    }
}

/// Notices what a robot at work has to stop for: what lasts too long.
struct PoolProtection: Hashable, Sendable {
    /// What it notices in one second.
    struct Symptoms: Hashable, Sendable {
        /// Whether the pump is out of the water.
        var isDry = false
        /// The pump's current as a share of that with an open filter.
        var pumpShare = 1.0
        /// What the tracks do.
        var tracks = Tracks.driving
    }

    /// What the tracks do.
    enum Tracks: Hashable, Sendable {
        case driving, slipping, stalled, free
    }

    private var drySeconds = 0.0
    private var overloadSeconds = 0.0
    private var underloadSeconds = 0.0
    private var tracks = Tracks.driving
    private var trackSeconds = 0.0

    /// Goes on for a second.
    /// - Returns: what the robot has to stop for, if something lasted too long.
    mutating func observe(
        _ symptoms: Symptoms, _ ratings: PoolProtectionRatings
    ) -> PoolFailure? {
        drySeconds = symptoms.isDry ? drySeconds + 1 : 0
        let share = symptoms.pumpShare
        overloadSeconds = share > ratings.impellerOverload.value ? overloadSeconds + 1 : 0
        underloadSeconds = share < ratings.impellerUnderload.value ? underloadSeconds + 1 : 0
        trackSeconds = symptoms.tracks == tracks ? trackSeconds + 1 : 1
        tracks = symptoms.tracks
        if drySeconds > ratings.outOfWater.value { return .outOfWater }
        if overloadSeconds > ratings.overloadTime.value { return .impellerOverload }
        if underloadSeconds > ratings.underloadTime.value { return .impellerUnderload }
        return trackFailure(ratings)
    }

    private func trackFailure(_ ratings: PoolProtectionRatings) -> PoolFailure? {
        switch tracks {
        case .driving: nil
        case .slipping: trackSeconds > ratings.stuck.value ? .stuck : nil
        case .stalled: trackSeconds > ratings.overloadTime.value ? .driveOverload : nil
        case .free: trackSeconds > ratings.driveUnderload.value ? .driveUnderload : nil
        }
    }
}
