public import DeviceDomain
public import SharedPresentation

/// The fleets of simulated devices that run on this machine.
public protocol SimulationService: Sendable {
    /// What the fleet says that simulates a device.
    /// - Returns: `nil` where no fleet of this machine simulates it.
    /// - Throws: `Failure` where a fleet does not answer.
    func status(of device: SimulatedPlace) async throws(Failure) -> SimulationStatus?
    /// Lets a fault happen to a device; one that it has already gets the new time and parameters.
    /// - Throws: `Failure` where the fleet refuses, does not answer or is gone.
    func inject(_ order: FaultOrder, into device: SimulatedPlace) async throws(Failure)
    /// Ends a fault of a device; one that it does not have is ended already.
    /// - Throws: `Failure` where the fleet refuses, does not answer or is gone.
    func end(_ fault: FaultName, of device: SimulatedPlace) async throws(Failure)
}

/// What tells a device from every other one: homes on two brokers may have the same names.
public struct SimulatedPlace: Hashable, Sendable, CustomStringConvertible {
    /// The home.
    public let home: HomeID
    /// The device in the home.
    public let device: DeviceID
    /// The broker of the home, as `mqtt://host:port`.
    public let broker: String

    public init(home: HomeID, device: DeviceID, broker: String) {
        self.home = home
        self.device = device
        self.broker = broker
    }

    public var description: String { "\(home)/\(device)" }
}
