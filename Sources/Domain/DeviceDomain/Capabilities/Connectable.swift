/// A device that reports its presence.
public protocol Connectable: Device {}

extension Connectable {
    /// Whether the device can be reached.
    public var connection: ConnectionState { report.connection }

    /// Applies a presence message.
    /// - Returns: whether it was applied; a stale will is ignored.
    @discardableResult
    public mutating func apply(_ presence: Presence) -> Bool {
        report.connection.apply(presence)
    }
}
