/// A fault that a device can have.
public struct PossibleFault: Hashable, Sendable {
    /// Its name.
    public let name: FaultName
    /// The kinds of devices that can have it.
    public let kinds: [DeviceKind]
    /// What it does, in the English words of the fleet.
    public let effect: String
    /// Whether it lasts, or is over once it has happened.
    public let lasts: Bool
    /// The numbers that say how severe it is.
    public let parameters: [FaultParameter]

    public init(
        name: FaultName, kinds: [DeviceKind], effect: String, lasts: Bool,
        parameters: [FaultParameter]
    ) {
        self.name = name
        self.kinds = kinds
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
