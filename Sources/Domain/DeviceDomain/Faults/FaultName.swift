/// The name of a fault, such as `stuck`. The set is open: fleets know which there are.
public struct FaultName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var description: String { rawValue }
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}
