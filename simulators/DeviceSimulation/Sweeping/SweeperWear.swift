import Basics
import DeviceDomain

/// How often the world of a sweeping robot comes in its way.
struct SweeperWearRatings: Sendable {
    /// How often a new main brush takes in a cable while it cleans.
    let cable = Rating(0.02, "1/h", .estimate("a cable in fifty hours of cleaning"))
    /// How often the side brush winds hair around itself.
    let hair = Rating(0.01, "1/h", .estimate("half as often as a cable"))
    /// How much more often a brush at the end of its life does.
    let wornFactor = Rating(4, "1", .estimate("bent bristles; manuals ask to replace the brush"))
    /// How likely it is that a wheel stays on a threshold between two rooms.
    let threshold = Rating(0.002, "1", .estimate("once in about thirty cleanings of a home"))
    /// How often dirty sensors see an edge where none is, once their time is over.
    let dirtySensors = Rating(0.05, "1/h", .estimate("once in twenty hours"))
    /// How often a filter counts as clogged once its time is over.
    let cloggedFilter = Rating(0.1, "1/h", .estimate("once in ten hours"))
    /// How often somebody pulls the plug of a dock.
    let pulledPlug = Rating(0.0005, "1/h", .estimate("a few times a year"))
    /// How long it takes until somebody helps; at night it takes until seven.
    var help = Rating(5...45, "min", .estimate("somebody is at home"))
    /// How warm a room is, and what a kelvin outside above that adds.
    let room = Rating(21, "°C", .estimate("a home without cooling"))
    let roomShare = Rating(0.6, "K/K", .estimate("windows are open at night"))
    /// How much warmer than the room a charge at full power makes the battery, and how fast.
    let charging = Rating(13, "K", .estimate("4 W of loss in a closed housing"))
    let warming = Rating(1200, "s", .estimate("0.5 kg of cells"))
    /// The temperature at which a battery is not charged, and at which it is again.
    let hot = Rating(40, "°C", .published("Roborock's mower, knowledge base: below 40 °C"))
    let cooled = Rating(37, "°C", .estimate("3 K of hysteresis"))

    /// By the names under which they are printed.
    var ratings: [(name: String, rating: Rating)] {
        [
            ("wear-cable", cable), ("wear-hair", hair), ("wear-worn-factor", wornFactor),
            ("wear-threshold", threshold), ("wear-dirty-sensors", dirtySensors),
            ("wear-clogged-filter", cloggedFilter), ("wear-pulled-plug", pulledPlug),
            ("wear-help", help), ("wear-room", room), ("wear-room-share", roomShare),
            ("wear-charging-heat", charging), ("wear-warming", warming), ("wear-hot", hot),
            ("wear-cooled", cooled),
        ]
    }
}

/// What comes in the way of a sweeping robot by itself, and when somebody helps it; only in a run that asks for it.
///
/// What happens by chance belongs to robot and second, so that it does not depend on how often the world was asked.
struct SweeperWear: Hashable, Sendable {
    /// What a robot does in a second.
    struct Work: Hashable, Sendable {
        /// The second of the world.
        let second: Int
        /// Whether it cleans.
        let isCleaning: Bool
        /// Whether it is on its dock.
        let isDocked: Bool
        /// The room in which it is.
        let room: Int?
        /// How long it has worked in its life, in hours.
        let hours: Double
        /// The share of the charger's power that its battery takes.
        let charging: Double
    }

    /// How the robot is.
    private enum State: Hashable {
        /// Nothing is in its way.
        case fine
        /// Somebody helps it at a second of the world.
        case needsHelp(SimulatedFault, at: Int)
    }

    private let seed: UInt64
    private let weather: RegionWeather
    private var state = State.fine
    /// The room of the last second.
    private var room: Int?
    /// The battery, in °C.
    private(set) var batteryC: Double
    /// Whether the battery is too hot to be charged.
    private(set) var isTooHot = false

    init(seed: UInt64, weather: RegionWeather, _ robot: SweeperSpecification) {
        self.seed = seed
        self.weather = weather
        batteryC = robot.wear.room.value
    }

    /// Goes on for a second.
    /// - Returns: what has come in the way of the robot, if something has.
    mutating func mishap(_ work: Work, of robot: SweeperSpecification) -> SimulatedFault? {
        defer { room = work.room ?? room }
        if work.second.isMultiple(of: 60) { warm(work, robot.wear) }
        guard state == .fine, let fault = found(work, robot) else { return nil }
        state = .needsHelp(fault, at: helpTime(after: work.second, robot.wear))
        return fault
    }

    /// What somebody puts right in this second.
    mutating func help(at second: Int) -> SimulatedFault? {
        guard case .needsHelp(let fault, let due) = state, second >= due else { return nil }
        state = .fine
        return fault
    }

    private func found(_ work: Work, _ robot: SweeperSpecification) -> SimulatedFault? {
        let wear = robot.wear
        if work.isDocked {
            return happens(.plug, wear.pulledPlug, work.second) ? .dockNoPower : nil
        }
        guard work.isCleaning else { return nil }
        func worn(_ life: Rating) -> Double {
            1 + wear.wornFactor.value * min(work.hours / life.value, 1)
        }
        if happens(.cable, wear.cable, work.second, worn(robot.mainBrushLife)) {
            return .brushBlocked
        }
        if happens(.hair, wear.hair, work.second, worn(robot.sideBrushLife)) {
            return .sideBrushBlocked
        }
        if work.hours > robot.sensorLife.value,
            happens(.sensors, wear.dirtySensors, work.second)
        {
            return .cliff
        }
        if work.hours > robot.filterLife.value, happens(.filter, wear.cloggedFilter, work.second) {
            return .filterBlocked
        }
        guard let from = room, let to = work.room, from != to else { return nil }
        return roll(.threshold, work.second) < wear.threshold.value ? .stuck : nil
    }

    /// Whether the battery is too hot to be charged, as it was or has become.
    func isTooHot(_ wasTooHot: Bool, _ ratings: SweeperWearRatings) -> Bool {
        wasTooHot ? batteryC > ratings.cooled.value : batteryC >= ratings.hot.value
    }

    /// When somebody helps: at night not before seven.
    private func helpTime(after second: Int, _ ratings: SweeperWearRatings) -> Int {
        let minutes = ratings.help.value(at: roll(.help, second))
        let due = second + Int(minutes * 60)
        let hour = HomeClock.hour(at: due)
        if hour < 7 { return due + Int((7 - hour) * 3600) }
        return hour < 22 ? due : due + Int((31 - hour) * 3600)
    }

    private mutating func warm(_ work: Work, _ ratings: SweeperWearRatings) {
        let outsideC = weather.ambientC(at: work.second)
        let room = ratings.room.value
        let roomC = room + max(0, outsideC - room) * ratings.roomShare.value
        let end = roomC + ratings.charging.value * work.charging
        batteryC += (end - batteryC) * (1 - Mathematics.exponential(-60 / ratings.warming.value))
        isTooHot = batteryC >= (isTooHot ? ratings.cooled.value : ratings.hot.value)
    }

    private enum Chance: UInt64 {
        case cable, hair, sensors, filter, threshold, plug, help
    }

    private func happens(
        _ chance: Chance, _ perHour: Rating, _ second: Int, _ factor: Double = 1
    ) -> Bool {
        roll(chance, second) < perHour.value * factor / 3600
    }

    private func roll(_ chance: Chance, _ second: Int) -> Double {
        SeededGenerator.noise(
            seed: seed ^ ((chance.rawValue + 1) &* 0xA24B_AED4_963E_E407), index: second)
    }
}

/// What supplies a dock.
struct DockSupply: Hashable, Sendable {
    /// Whether the home has power.
    var hasMains = true
    /// Whether the dock is plugged in.
    var isPluggedIn = true

    /// Whether the dock can charge.
    var hasPower: Bool { hasMains && isPluggedIn }
}
