public import DeviceDomain

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
