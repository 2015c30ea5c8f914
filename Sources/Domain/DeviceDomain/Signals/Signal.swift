/// A member of the states or samples of Homeport's own kinds, by its name on the wire (PROTOCOL section 5). Names are
/// written here and nowhere else; devices of other kinds may report any others.
package enum Signal: String, Hashable, Sendable, CaseIterable {
    // MARK: States

    /// What a robot is doing.
    case activity
    /// The suction level of a sweeping robot.
    case fanSpeed
    /// Whether the dock charges the robot.
    case isCharging
    /// The code of what is wrong; null if nothing is.
    case error
    /// The program that a pool robot runs; null without one.
    case program
    /// How hard a pool robot works.
    case powerLevel
    /// Whether a pool robot is in the water.
    case inWater
    /// What is left of the program, in whole minutes; null without one.
    case remainingMinutes
    /// How a store works.
    case mode
    /// The charge at which a store stops charging.
    case chargeLimitPercent
    /// The charge that a store keeps for an outage.
    case reservePercent
    /// Whether the home is on the grid.
    case gridConnected
    /// The codes of what is wrong with a store.
    case alarms
    /// What is left of a store's capacity when it was new.
    case stateOfHealthPercent

    // MARK: Samples

    /// The charge of a robot's battery.
    case batteryPercent
    /// How far east of the plan's origin, in m.
    case x
    /// How far north of the plan's origin, in m.
    case y
    /// Where a robot looks, clockwise from north.
    case headingDeg
    /// What the present or last cleaning has cleaned.
    case cleanedAreaM2
    /// How long the brushes were on the floor.
    case cleaningSeconds
    /// How full the dustbin is.
    case dustbinPercent
    /// What is left of the main brush.
    case mainBrushMinutes
    /// What is left of the side brush.
    case sideBrushMinutes
    /// What is left of the filter.
    case filterMinutes
    /// How long the sensors need no cleaning.
    case sensorMinutes
    /// How deep a pool robot is.
    case depthM
    /// How warm the pool is.
    case waterTemperatureC
    /// The current of the motors.
    case motorCurrentA
    /// How clogged the filter of a pool robot is.
    case filterPercent
    /// How far a pool robot is tilted.
    case tiltDeg
    /// How many turns the tether has.
    case tetherTurns
    /// The state of charge of a store.
    case stateOfChargePercent
    /// The power into a store; negative out of it.
    case batteryPowerW
    /// The power from the grid; negative into it.
    case gridPowerW
    /// What the home uses.
    case loadPowerW
    /// What the roof yields.
    case pvPowerW
    /// How warm a store is.
    case temperatureC
    /// The voltage of a store.
    case voltageV
    /// What was charged so far; it never falls.
    case chargedKWh
    /// What was discharged so far; it never falls.
    case dischargedKWh
    /// The full cycles that what was discharged makes.
    case equivalentCycles
    /// The voltage of the lowest cell.
    case cellMinV
    /// The voltage of the highest cell.
    case cellMaxV
}

extension Signal {
    /// What each kind reports, also what only some of its models do.
    private static let table: [DeviceKind: (state: Set<Signal>, telemetry: Set<Signal>)] = [
        .sweepingRobot: (
            state: [.activity, .fanSpeed, .isCharging, .error, .batteryPercent],
            telemetry: [
                .batteryPercent, .x, .y, .headingDeg, .cleanedAreaM2, .cleaningSeconds,
                .dustbinPercent, .mainBrushMinutes, .sideBrushMinutes, .filterMinutes,
                .sensorMinutes,
            ]
        ),
        .poolRobot: (
            state: [
                .activity, .program, .powerLevel, .inWater, .error, .remainingMinutes,
                .filterPercent,
            ],
            telemetry: [
                .depthM, .waterTemperatureC, .motorCurrentA, .filterPercent, .tiltDeg,
                .batteryPercent, .x, .y, .headingDeg, .tetherTurns,
            ]
        ),
        .energyStore: (
            state: [
                .mode, .chargeLimitPercent, .reservePercent, .gridConnected, .alarms,
                .stateOfHealthPercent,
            ],
            telemetry: [
                .stateOfChargePercent, .batteryPowerW, .gridPowerW, .loadPowerW, .pvPowerW,
                .temperatureC, .voltageV, .chargedKWh, .dischargedKWh, .equivalentCycles,
                .cellMinV, .cellMaxV,
            ]
        ),
    ]

    /// The members of the states of a kind; `nil` for one of others, which may report anything.
    package static func state(of kind: DeviceKind) -> Set<Signal>? { table[kind]?.state }

    /// The members of the samples of a kind; `nil` for one of others, which may report anything.
    package static func telemetry(of kind: DeviceKind) -> Set<Signal>? { table[kind]?.telemetry }

    /// The unit of its numbers; `nil` without one.
    package var unit: SignalUnit? { SignalUnit(ofSignal: rawValue) }
}

extension [String: JSONValue] {
    /// The members of a state or sample.
    package init(reporting members: KeyValuePairs<Signal, JSONValue>) {
        self.init(uniqueKeysWithValues: members.lazy.map { ($0.key.rawValue, $0.value) })
    }
}

extension Dictionary where Key == String {
    /// The value under the name of a signal.
    package subscript(_ signal: Signal) -> Value? {
        get { self[signal.rawValue] }
        set { self[signal.rawValue] = newValue }
    }
}
