import Basics
package import DeviceDomain
import DeviceMessages

/// A robot that cleans a swimming pool, on a tether or from a battery.
package struct PoolBehaviour: DeviceBehaviour {
    /// A program on its way.
    struct Run: Hashable, Sendable {
        /// What is cleaned.
        let program: PoolRobot.Program
        /// How long it takes, in seconds.
        let total: Double
        /// How long it has run, in seconds.
        var elapsed = 0.0
        /// Whether it is an action, not the schedule's doing.
        let isAction: Bool
    }

    /// What the robot is doing.
    enum Activity: Hashable, Sendable {
        case idle
        case cleaning(Run)
        case paused(Run)
        case surfacing
        case error(String)
    }

    package let commands = PoolRobot.commands
    /// The numbers of its model.
    let model: PoolModel
    /// How warm the pool is.
    let water: WaterTemperature

    /// What it is doing.
    var activity = Activity.idle
    /// How hard it works.
    var level = PoolRobot.PowerLevel.normal
    /// When it starts by itself.
    var schedule = WeeklySchedule.empty
    /// The revision of the desired document that it applied last; 0 before the first.
    var desiredRevision = 0
    /// Whether it is in the water.
    var isInWater = true
    /// Whether it stays beside the pool, whatever its owner would do.
    var isKeptOutside = false
    /// The faults that keep it from working.
    var blockages = Blockages()
    /// Where in the pool it is.
    var dive = PoolDive()
    /// Its battery; `nil` on a tether.
    var battery: BatteryPack?
    /// How clogged the filter is, in percent.
    var filterPercent = 0.0
    /// Whether it has said that the filter is full.
    var hasReportedFilter = false
    /// How long the pump has run dry, in seconds.
    var drySeconds = 0.0
    /// How long the robot has rested in the water, in seconds.
    var restSeconds = 0.0
    /// The world clock of the last step.
    var now: Timestamp

    /// A robot that floats in a pool of this mean temperature, charged and with a clean filter.
    init(model: PoolModel, meanC: Double, at world: Timestamp) {
        self.model = model
        water = WaterTemperature(meanC: meanC)
        now = world
        // A charge of 3 h on land; the taper makes it 1.482 times the time at full power.
        battery = model.batteryWh.map { BatteryPack(capacityWh: $0, chargerW: $0 * 1.482 / 3) }
    }

    /// The models of this kind.
    static let makers: [DeviceModel: BehaviourCatalog.Maker] = [
        DeviceModel(rawValue: "pool-p1"): { who, seed, world in make(.p1, who, seed, world) },
        DeviceModel(rawValue: "pool-c1"): { who, seed, world in make(.c1, who, seed, world) },
    ]

    private static func make(
        _ model: PoolModel, _ identity: DeviceIdentity, _ seed: UInt64, _ world: Timestamp
    ) -> any DeviceBehaviour {
        var generator = SeededGenerator(seed: seed, identity: identity, purpose: "pool")
        return PoolBehaviour(model: model, meanC: generator.uniform(in: 23...28), at: world)
    }

    /// The program on its way, running or paused.
    var run: Run? {
        switch activity {
        case .cleaning(let run), .paused(let run): run
        case .idle, .surfacing, .error: nil
        }
    }

    /// What is wrong, if something is.
    var fault: String? {
        if let code = blockages.code { return code }
        return if case .error(let fault) = activity { fault } else { nil }
    }

    /// The current of the motors, in A.
    var motorCurrentA: Double {
        let base = PoolConstants.currentA(level)
        switch activity {
        case .cleaning:
            let climbing = dive.surface == .floor ? 0 : PoolConstants.climbingA
            let clogged = 1 + PoolConstants.cloggedShare * filterPercent / 100
            return isInWater ? base * clogged + climbing : base * 0.4
        case .surfacing: return base + PoolConstants.climbingA
        case .idle, .paused, .error: return 0
        }
    }
}

extension PoolBehaviour {
    package var controlled: JSONObject {
        var members = JSONObject(reporting: [
            .activity: .string(activityName),
            .program: run.map { .string($0.program.rawValue) } ?? .null,
            .powerLevel: .string(level.rawValue), .inWater: .boolean(isInWater),
            .error: fault.map(JSONValue.string) ?? .null,
        ])
        members["settings"] = ["schedule": schedule.json]
        members["desiredRevision"] = .integer(desiredRevision)
        return members
    }

    package var measured: JSONObject {
        JSONObject(reporting: [
            .remainingMinutes: run.map { .number((($0.total - $0.elapsed) / 60).rounded(.up)) }
                ?? .null,
            .filterPercent: .number(filterPercent.rounded()),
        ])
    }

    package var telemetry: JSONObject {
        var values = JSONObject(reporting: [
            .depthM: .number((isInWater ? dive.depthM : 0).rounded(decimals: 2)),
            .waterTemperatureC: .number(water.celsius(at: now).rounded(decimals: 2)),
            .motorCurrentA: .number(motorCurrentA.rounded(decimals: 2)),
            .filterPercent: .number(filterPercent.rounded(decimals: 1)),
            .tiltDeg: .number(dive.tiltDeg.rounded(decimals: 1)),
        ])
        if let battery { values[.batteryPercent] = .number(battery.percent.rounded(.down)) }
        return values
    }

    package var activityName: String {
        if blockages.code != nil { return PoolRobot.Activity.error.rawValue }
        return switch activity {
        case .idle: PoolRobot.Activity.idle.rawValue
        case .cleaning: PoolRobot.Activity.cleaning.rawValue
        case .paused: PoolRobot.Activity.paused.rawValue
        case .surfacing: PoolRobot.Activity.surfacing.rawValue
        case .error: PoolRobot.Activity.error.rawValue
        }
    }

    package var stepInterval: Duration? {
        switch activity {
        case .cleaning, .surfacing: .seconds(1)
        case .idle, .paused, .error: nil
        }
    }

    package var actionPercent: Double? {
        run.map { min(100, $0.elapsed / $0.total * 100).rounded() }
    }

    package var memory: JSONObject {
        var memory = JSONObject(reporting: [
            .filterPercent: .number(filterPercent.rounded(decimals: 2)),
            .depthM: .number(dive.depthM.rounded(decimals: 2)),
            .tiltDeg: .number(dive.tiltDeg.rounded(decimals: 1)),
        ])
        if let battery { memory["batteryWh"] = .number(battery.energyWh) }
        return memory
    }

    package mutating func restore(controlled: JSONObject, memory: JSONObject) {
        level = controlled[.powerLevel]?.string.flatMap(PoolRobot.PowerLevel.init) ?? level
        isInWater = controlled[.inWater]?.boolean ?? isInWater
        desiredRevision = controlled["desiredRevision"]?.integer ?? desiredRevision
        if let entries = controlled["settings"]?.object?["schedule"] {
            schedule = (try? WeeklySchedule(json: entries)) ?? schedule
        }
        filterPercent = memory[.filterPercent]?.number ?? filterPercent
        hasReportedFilter = filterPercent >= PoolConstants.filterFullPercent
        if let depthM = memory[.depthM]?.number, let tiltDeg = memory[.tiltDeg]?.number {
            dive = PoolDive(depthM: depthM, tiltDeg: tiltDeg)
        }
        if controlled[.error]?.string == PoolConstants.outOfWater {
            activity = .error(PoolConstants.outOfWater)
        }
        if let energyWh = memory["batteryWh"]?.number { battery?.restore(energyWh: energyWh) }
    }
}
