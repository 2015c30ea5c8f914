public import DeviceDomain

/// One command for one device, checked by the device's own description.
public struct CommandOrder: Sendable {
    /// The device, with its presence and its revision as far as they are known.
    public let device: any Device
    /// The channel that heard it, if one did.
    public let heardOn: ChannelID?
    /// The command's name.
    public let name: CommandName
    /// Its arguments.
    public let arguments: JSONObject
    /// How it is to be sent.
    public let options: CommandOptions

    /// A command of the device's type.
    /// - Throws: ``CommandRefusal`` if the device's description has no such command or the
    ///   arguments do not fit it.
    public init<Command: DeviceCommand>(
        _ command: Command, for device: Command.Receiver, heardOn: ChannelID? = nil,
        options: CommandOptions = .init()
    ) throws(CommandRefusal) {
        try self.init(
            command.name, command.arguments, for: device, heardOn: heardOn, options: options)
    }

    /// A command by its name.
    /// - Throws: as ``init(_:for:heardOn:options:)``.
    public init(
        _ name: CommandName, _ arguments: JSONObject = [:], for device: any Device,
        heardOn: ChannelID? = nil, options: CommandOptions = .init()
    ) throws(CommandRefusal) {
        let described = GenericDevice(profile: device.profile)
        let request = try described.request(name, arguments: arguments)
        self.device = device
        self.heardOn = heardOn
        self.name = request.name
        self.arguments = request.arguments
        self.options = options
    }

    /// Whether the device needs the revision of its state and that is not known.
    public var lacksRevision: Bool {
        specification.needsIfRevision && options.ifRevision == nil && device.report.revision == nil
    }

    /// What the device says of the command.
    var specification: CommandSpecification {
        device.profile.specification(of: name) ?? .bare(name)
    }
}
