/// The latest reports of a device: presence, state and telemetry.
public struct DeviceReport: Hashable, Sendable {
    /// Whether the device can be reached.
    public var connection: ConnectionState
    /// The revision of its state; `nil` before the first state.
    public private(set) var revision: Int?
    /// The members of its state; empty before the first one.
    public private(set) var state: JSONObject
    /// The values of its latest telemetry; `nil` before the first sample.
    public var telemetry: JSONObject?

    public init(
        connection: ConnectionState = .unknown, revision: Int? = nil, state: JSONObject = [:],
        telemetry: JSONObject? = nil
    ) {
        self.connection = connection
        self.revision = revision
        self.state = state
        self.telemetry = telemetry
    }

    /// Applies a reported state; one with a lower revision is older and is ignored.
    /// - Returns: whether the state was applied.
    @discardableResult
    public mutating func apply(state members: JSONObject, revision newRevision: Int) -> Bool {
        if let revision, newRevision < revision { return false }
        revision = newRevision
        state = members
        return true
    }
}
