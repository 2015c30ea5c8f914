/// A device that reports its presence.
public protocol Connectable: Device {}

extension Connectable {
    /// Whether the device can be reached.
    public var connection: ConnectionState { report.connection }

    /// Takes in a presence message.
    /// - Returns: whether it was heeded; an old will is not.
    @discardableResult
    public mutating func apply(_ presence: PresenceReport) -> Bool {
        report.connection.apply(presence)
    }
}
