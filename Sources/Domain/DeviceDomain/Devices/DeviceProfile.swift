/// The description of a device, by itself or by its model.
public struct DeviceProfile: Hashable, Sendable {
    /// The device's name within its home.
    public let id: DeviceID
    /// The home that it belongs to.
    public let home: HomeID
    /// Its kind.
    public let kind: DeviceKind
    /// Its model.
    public let model: DeviceModel
    /// Its user-defined name.
    public let name: String
    /// The version of its firmware.
    public let firmware: String
    /// Its capabilities.
    public let capabilities: Set<Capability>
    /// Its commands.
    public let commands: [CommandSpecification]
    /// The floor on which it moves; `nil` where it describes none.
    public let plan: RoomPlan?
    /// The members that its state may have; `nil` where its channel does not tell.
    public let stateMembers: Set<String>?
    /// The number that its maker gave it, by which two channels know one device; `nil` where its channel
    /// does not tell, or tells one that cannot be relied on.
    public let serial: String?

    public init(
        id: DeviceID, home: HomeID, kind: DeviceKind, model: DeviceModel, name: String,
        firmware: String, capabilities: Set<Capability>, commands: [CommandSpecification],
        plan: RoomPlan? = nil, stateMembers: Set<String>? = nil, serial: String? = nil
    ) {
        self.id = id
        self.home = home
        self.kind = kind
        self.model = model
        self.name = name
        self.firmware = firmware
        self.capabilities = capabilities
        self.commands = commands
        self.plan = plan
        self.stateMembers = stateMembers
        self.serial = serial
    }

    /// The specification of a command, if the device takes it.
    public func specification(of command: CommandName) -> CommandSpecification? {
        commands.first { $0.name == command }
    }
}
