/// A sample of a device of one kind: its signals as numbers.
public protocol DeviceSample: Hashable, Sendable {
    /// The members of the sample, as they came.
    var values: JSONObject { get }
    /// The sample with these members.
    init(_ values: JSONObject)
}

/// A device whose samples have a type.
public protocol Sampled: Device {
    associatedtype Sample: DeviceSample
}

extension Sampled {
    /// The latest sample; `nil` before the first one.
    public var sample: Sample? { report.telemetry.map(Sample.init) }
}

extension SweepingRobot: Sampled {
    /// A sample of a sweeping robot. A signal is `nil` where the model does not have it, or the sample not.
    public struct Sample: DeviceSample {
        public let values: JSONObject
        public init(_ values: JSONObject) { self.values = values }

        /// The charge of a robot's battery, 0…100 %.
        public var batteryPercent: Double? { values[.batteryPercent]?.number }

        /// How far east of the plan's origin, in m.
        public var x: Double? { values[.x]?.number }

        /// How far north of the plan's origin, in m.
        public var y: Double? { values[.y]?.number }

        /// Where a robot looks, clockwise from north, in degrees.
        public var headingDeg: Double? { values[.headingDeg]?.number }

        /// What the present or last cleaning has cleaned, in m².
        public var cleanedAreaM2: Double? { values[.cleanedAreaM2]?.number }

        /// How long the brushes were on the floor, in s.
        public var cleaningSeconds: Double? { values[.cleaningSeconds]?.number }

        /// How full the dustbin is, 0…100 %.
        public var dustbinPercent: Double? { values[.dustbinPercent]?.number }

        /// What is left of the main brush, in min.
        public var mainBrushMinutes: Double? { values[.mainBrushMinutes]?.number }

        /// What is left of the side brush, in min.
        public var sideBrushMinutes: Double? { values[.sideBrushMinutes]?.number }

        /// What is left of the filter, in min.
        public var filterMinutes: Double? { values[.filterMinutes]?.number }

        /// How long the sensors need no cleaning, in min.
        public var sensorMinutes: Double? { values[.sensorMinutes]?.number }
    }
}

extension PoolRobot: Sampled {
    /// A sample of a pool robot. A signal is `nil` where the model does not have it, or the sample not.
    public struct Sample: DeviceSample {
        public let values: JSONObject
        public init(_ values: JSONObject) { self.values = values }

        /// How deep a pool robot is, in m.
        public var depthM: Double? { values[.depthM]?.number }

        /// How warm the pool is, in °C.
        public var waterTemperatureC: Double? { values[.waterTemperatureC]?.number }

        /// The current of the motors, in A.
        public var motorCurrentA: Double? { values[.motorCurrentA]?.number }

        /// How clogged the filter of a pool robot is, 0…100 %.
        public var filterPercent: Double? { values[.filterPercent]?.number }

        /// How far a pool robot is tilted, in degrees.
        public var tiltDeg: Double? { values[.tiltDeg]?.number }

        /// The charge of a robot's battery, 0…100 %.
        public var batteryPercent: Double? { values[.batteryPercent]?.number }

        /// How far east of the plan's origin, in m.
        public var x: Double? { values[.x]?.number }

        /// How far north of the plan's origin, in m.
        public var y: Double? { values[.y]?.number }

        /// Where a robot looks, clockwise from north, in degrees.
        public var headingDeg: Double? { values[.headingDeg]?.number }

        /// How many turns the tether has.
        public var tetherTurns: Double? { values[.tetherTurns]?.number }
    }
}

extension EnergyStore: Sampled {
    /// A sample of an energy store. A signal is `nil` where the model does not have it, or the sample not.
    public struct Sample: DeviceSample {
        public let values: JSONObject
        public init(_ values: JSONObject) { self.values = values }

        /// The state of charge of a store, 0…100 %.
        public var stateOfChargePercent: Double? { values[.stateOfChargePercent]?.number }

        /// The power into a store; negative out of it. In W.
        public var batteryPowerW: Double? { values[.batteryPowerW]?.number }

        /// The power from the grid; negative into it. In W.
        public var gridPowerW: Double? { values[.gridPowerW]?.number }

        /// What the home uses, in W.
        public var loadPowerW: Double? { values[.loadPowerW]?.number }

        /// What the roof yields, in W.
        public var pvPowerW: Double? { values[.pvPowerW]?.number }

        /// How warm a store is, in °C.
        public var temperatureC: Double? { values[.temperatureC]?.number }

        /// The voltage of a store, in V.
        public var voltageV: Double? { values[.voltageV]?.number }

        /// What was charged so far; it never falls. In kWh.
        public var chargedKWh: Double? { values[.chargedKWh]?.number }

        /// What was discharged so far; it never falls. In kWh.
        public var dischargedKWh: Double? { values[.dischargedKWh]?.number }

        /// The full cycles that what was discharged makes.
        public var equivalentCycles: Double? { values[.equivalentCycles]?.number }

        /// The voltage of the lowest cell, in V.
        public var cellMinV: Double? { values[.cellMinV]?.number }

        /// The voltage of the highest cell, in V.
        public var cellMaxV: Double? { values[.cellMaxV]?.number }
    }
}
