import Basics
package import DeviceDomain
import DeviceMessages

/// A robot that sweeps the rooms of a floor plan from a dock.
package struct SweepingBehaviour: DeviceBehaviour {
    package let commands: [CommandSpecification]
    package let describedPlan: RoomPlan?
    /// Plans its ways.
    let planner: SweepingPlanner
    /// The numbers of its model.
    let model: SweepingModel

    /// What it is doing.
    var activity = SweepingActivity.docked(resuming: nil)
    /// Whether the drive to the dock is the running action, not the robot's own idea.
    var isReturnCommanded = false
    /// How hard it sucks.
    var level = SweepingRobot.SuctionLevel.balanced
    /// Its battery.
    var battery: BatteryPack
    /// Whether the dock charges it.
    var isCharging = false
    /// Where it is.
    var position: PlanPoint
    /// Where it looks, in degrees clockwise from north.
    var headingDeg = 180.0
    /// What the present or last cleaning has cleaned, in m².
    var cleanedAreaM2 = 0.0
    /// How long its brushes were on the floor, in seconds.
    var cleaningSeconds = 0.0
    /// How full the dustbin is, in percent.
    var dustbinPercent = 0.0
    /// The faults that keep it from working.
    var blockages = Blockages()

    /// A robot on its dock, fully charged.
    /// - Parameters:
    ///   - declaration: what robots on the plan declare.
    ///   - coverage: the floor that it cleans in straight lines, in m²/min.
    init(
        model: SweepingModel, plan: FloorPlan, declaring declaration: SweepingDeclaration,
        coverage: Double
    ) {
        self.model = model
        planner = SweepingPlanner(plan: plan, coverage: coverage)
        commands = declaration.commands
        describedPlan = declaration.plan
        battery = BatteryPack(capacityWh: model.batteryWh, chargerW: model.chargerW)
        position = plan.dock
    }

    /// The models of this kind.
    static let makers: [DeviceModel: BehaviourCatalog.Maker] = [
        DeviceModel(rawValue: "sweeper-s1"): maker(.s1),
        DeviceModel(rawValue: "sweeper-pro"): maker(.pro),
    ]

    /// Makes robots of one model, which share what they declare.
    private static func maker(_ model: SweepingModel) -> BehaviourCatalog.Maker {
        let declaration = SweepingDeclaration(on: .standard)
        return { identity, seed, _ in
            var generator = SeededGenerator(seed: seed, identity: identity, purpose: "sweeping")
            return SweepingBehaviour(
                model: model, plan: .standard, declaring: declaration,
                coverage: generator.uniform(in: SweepingConstants.coverage))
        }
    }
}

/// What robots on one floor plan declare.
struct SweepingDeclaration: Sendable {
    /// Their commands.
    let commands: [CommandSpecification]
    /// The plan as the protocol has it; `nil` for one that it cannot express.
    let plan: RoomPlan?

    init(on plan: FloorPlan) {
        commands = SweepingRobot.commands(on: plan.outline)
        self.plan = plan.described
    }
}

extension SweepingBehaviour {
    package var controlled: JSONObject {
        JSONObject(reporting: [
            .activity: .string(activityName), .fanSpeed: .string(level.rawValue),
            .isCharging: .boolean(isCharging),
            .error: blockages.code.map(JSONValue.string) ?? .null,
        ])
    }

    package var measured: JSONObject {
        JSONObject(reporting: [.batteryPercent: wholeBatteryPercent])
    }

    package var telemetry: JSONObject {
        JSONObject(reporting: [
            .batteryPercent: wholeBatteryPercent,
            .x: .number(position.x.rounded(decimals: 3)),
            .y: .number(position.y.rounded(decimals: 3)),
            .headingDeg: .number(headingDeg.rounded(decimals: 1)),
            .cleanedAreaM2: .number(cleanedAreaM2.rounded(decimals: 3)),
            .cleaningSeconds: .number(cleaningSeconds.rounded()),
            .dustbinPercent: .number(dustbinPercent.rounded(decimals: 1)),
        ])
    }

    package var activityName: String { reportedActivity.rawValue }

    /// What it is doing, as the state reports it.
    var reportedActivity: SweepingRobot.Activity {
        blockages.code == nil ? activity.reported : .error
    }

    package var stepInterval: Duration? { activity.isMoving ? .seconds(1) : nil }

    package var actionPercent: Double? {
        if isReturnCommanded, case .returning(let route, _) = activity {
            return route.percent.rounded()
        }
        return activity.job?.route.percent.rounded()
    }

    package var memory: JSONObject {
        var memory = JSONObject(reporting: [
            .dustbinPercent: .number(dustbinPercent.rounded(decimals: 2)),
            .x: .number(position.x.rounded(decimals: 3)),
            .y: .number(position.y.rounded(decimals: 3)),
            .headingDeg: .number(headingDeg.rounded(decimals: 1)),
            .cleanedAreaM2: .number(cleanedAreaM2.rounded(decimals: 3)),
            .cleaningSeconds: .number(cleaningSeconds.rounded(decimals: 1)),
        ])
        memory["batteryWh"] = .number(battery.energyWh)
        return memory
    }

    package mutating func restore(controlled: JSONObject, memory: JSONObject) {
        level = controlled[.fanSpeed]?.string.flatMap(SweepingRobot.SuctionLevel.init) ?? level
        if let energyWh = memory["batteryWh"]?.number { battery.restore(energyWh: energyWh) }
        dustbinPercent = memory[.dustbinPercent]?.number ?? dustbinPercent
        headingDeg = memory[.headingDeg]?.number ?? headingDeg
        cleanedAreaM2 = memory[.cleanedAreaM2]?.number ?? cleanedAreaM2
        cleaningSeconds = memory[.cleaningSeconds]?.number ?? cleaningSeconds
        restorePlace(activity: controlled[.activity]?.string, memory: memory)
        isCharging = activity.isDocked && !battery.isFull
    }

    /// A robot that was on its way stands where it was; the rest stand on their docks.
    private mutating func restorePlace(activity name: String?, memory: JSONObject) {
        guard let name, name != SweepingRobot.Activity.docked.rawValue,
            let x = memory[.x]?.number, let y = memory[.y]?.number,
            planner.plan.room(at: PlanPoint(x: x, y: y)) != nil
        else { return }
        position = PlanPoint(x: x, y: y)
        activity = .idle
    }

    /// Down to whole percents, so that 100 means full.
    private var wholeBatteryPercent: JSONValue { .number(battery.percent.rounded(.down)) }
}
