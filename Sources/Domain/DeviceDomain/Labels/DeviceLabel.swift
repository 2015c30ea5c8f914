/// What a user has said of a device. It stays with the controller and is never sent to the device.
public struct DeviceLabel: Hashable, Sendable {
    /// What the user calls it; `nil` where its own name counts.
    public var name: GivenName?
    /// The room that it is in; `nil` where the user has named none.
    public var room: GivenName?

    public init(name: GivenName? = nil, room: GivenName? = nil) {
        self.name = name
        self.room = room
    }

    /// Whether it says nothing.
    public var isEmpty: Bool { name == nil && room == nil }
}
