public import DeviceDomain

/// The name of a fault, such as `stuck`. The set is open: fleets know which there are.
public struct FaultName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var description: String { rawValue }
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

/// What a fleet says of a device that it simulates.
public struct SimulationStatus: Hashable, Sendable {
    /// The process of the fleet.
    public let process: Int
    /// The faults that the device has, in the order of their names.
    public let faults: [PresentFault]
    /// The faults that it can have, in the order of the fleet.
    public let possible: [PossibleFault]

    public init(process: Int, faults: [PresentFault], possible: [PossibleFault]) {
        self.process = process
        self.faults = faults
        self.possible = possible
    }
}

/// A fault that a device has.
public struct PresentFault: Hashable, Sendable {
    /// Its name.
    public let name: FaultName
    /// Its parameters that were given, by name, in their units.
    public let settings: [String: Double]
    /// When it ends by itself (world clock); `nil` for one that stays until it is ended.
    public let until: Timestamp?

    public init(name: FaultName, settings: [String: Double], until: Timestamp?) {
        self.name = name
        self.settings = settings
        self.until = until
    }
}

/// A fault that a device can have.
public struct PossibleFault: Hashable, Sendable {
    /// Its name.
    public let name: FaultName
    /// What it does, in the English words of the fleet.
    public let effect: String
    /// Whether it lasts, or is over once it has happened.
    public let lasts: Bool
    /// The numbers that say how severe it is.
    public let parameters: [FaultParameter]

    public init(name: FaultName, effect: String, lasts: Bool, parameters: [FaultParameter]) {
        self.name = name
        self.effect = effect
        self.lasts = lasts
        self.parameters = parameters
    }
}

/// A number that says how severe a fault is.
public struct FaultParameter: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its unit, as people write it.
    public let unit: String
    /// The values that it may have, in that unit.
    public let range: ClosedRange<Double>
    /// The value where none is given.
    public let usual: Double

    public init(name: String, unit: String, range: ClosedRange<Double>, usual: Double) {
        self.name = name
        self.unit = unit
        self.range = range
        self.usual = usual
    }
}

/// A fault that is to happen.
public struct FaultOrder: Hashable, Sendable {
    /// Its name.
    public let fault: FaultName
    /// The parameters that are given, by name, in their units.
    public let settings: [String: Double]
    /// How long it lasts (world time); `nil` for one that stays until it is ended.
    public let lasting: Duration?

    public init(fault: FaultName, settings: [String: Double], lasting: Duration?) {
        self.fault = fault
        self.settings = settings
        self.lasting = lasting
    }
}
