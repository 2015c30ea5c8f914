public import DeviceControl
public import DeviceDomain

/// Which commands of a home are wanted.
public struct CommandFilter: Hashable, Sendable {
    /// The devices; `nil` for every one.
    public var devices: Set<DeviceID>?
    /// The states in which they stand; `nil` for every one.
    public var states: Set<CommandState>?
    /// When the first of them was made (wire clock); `nil` for any time.
    public var since: Timestamp?
    /// Before when the last of them was made (wire clock); `nil` for any time.
    public var until: Timestamp?
    /// So many of the newest ones are left out.
    public var offset: Int
    /// The most commands.
    public var limit: Int

    public init(
        devices: Set<DeviceID>? = nil, states: Set<CommandState>? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil, offset: Int = 0, limit: Int
    ) {
        self.devices = devices
        self.states = states
        self.since = since
        self.until = until
        self.offset = offset
        self.limit = limit
    }
}
