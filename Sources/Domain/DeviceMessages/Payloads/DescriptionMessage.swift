public import DeviceDomain

/// A device's description of itself, published when it connects (PROTOCOL section 2).
///
/// Our devices send every member; a third-party device needs only those that are required to command it.
public struct DescriptionMessage: Hashable, Sendable {
    /// The device.
    public var device: DeviceID
    /// Its model.
    public var model: DeviceModel
    /// Its kind.
    public var kind: DeviceKind
    /// The name that people gave it.
    public var name: String
    /// The version of its firmware.
    public var firmware: String
    /// What it can do.
    public var capabilities: [Capability]
    /// The commands that it takes; a third-party device may give bare names.
    public var commands: [CommandSpecification]
    /// The floor on which it moves; `nil` where it describes none.
    public var plan: RoomPlan?
    /// The number that its maker gave it; `nil` where it tells none.
    public var serial: String?

    public init(
        device: DeviceID, model: DeviceModel, kind: DeviceKind, name: String, firmware: String,
        capabilities: [Capability], commands: [CommandSpecification], plan: RoomPlan? = nil,
        serial: String? = nil
    ) {
        self.device = device
        self.model = model
        self.kind = kind
        self.name = name
        self.firmware = firmware
        self.capabilities = capabilities
        self.commands = commands
        self.plan = plan
        self.serial = serial
    }

    /// The description of a profile, its capabilities in the protocol's order.
    public init(profile: DeviceProfile) {
        self.init(
            device: profile.id, model: profile.model, kind: profile.kind, name: profile.name,
            firmware: profile.firmware, capabilities: Self.ordered(profile.capabilities),
            commands: profile.commands, plan: profile.plan, serial: profile.serial)
    }

    /// The profile of a device that described itself in a home.
    public func profile(home: HomeID) -> DeviceProfile {
        DeviceProfile(
            id: device, home: home, kind: kind, model: model, name: name, firmware: firmware,
            capabilities: Set(capabilities), commands: commands.map(specification), plan: plan,
            serial: serial)
    }

    /// A bare name has the specification that the protocol gives it for the device's kind.
    private func specification(of command: CommandSpecification) -> CommandSpecification {
        guard command == .bare(command.name) else { return command }
        return .standard(command.name, of: kind) ?? command
    }

    /// The capabilities of PROTOCOL section 5, in its order.
    static let knownCapabilities: [Capability] = [
        .connectable, .batteryPowered, .controllable, .movable, .energyStorage, .schedulable,
    ]

    private static func ordered(_ capabilities: Set<Capability>) -> [Capability] {
        let known = knownCapabilities.filter(capabilities.contains)
        let others = capabilities.subtracting(known).sorted { $0.rawValue < $1.rawValue }
        return known + others
    }
}

extension DescriptionMessage: PayloadMessage {
    private enum Fields {
        static let device = Field<DeviceID>.device()
        static let model = Field<DeviceModel>.openName(
            "model", known: DeviceFactory.standard.models, "The model.")
        static let kind = Field<DeviceKind>.openName(
            "kind", known: [.sweepingRobot, .poolRobot, .energyStore], "The kind of device.")
        static let name = Field.text(
            "name", "The name that people gave the device; its id where it has none."
        ).optional
        static let firmware = Field.text(
            "firmware", "The version of the firmware; empty where it is not told."
        ).optional
        static let capabilities = Field.array(
            of: Field<Capability>.openName(
                "capabilities", known: DescriptionMessage.knownCapabilities,
                "What the device can do; nothing is known where it is absent.")
        ).optional
        static let commands = Field.array(of: Field<CommandSpecification>.command())
        static let plan = Field<RoomPlan>.plan().optional
        static let serial = Field.text(
            "serial", maximumLength: 128,
            "The number that its maker gave it, by which two channels know one device."
        ).optional
    }

    public static let shape = PayloadShape(
        name: "description", documentation: "What a device is and which commands it takes.",
        members: [
            Field.version.member, Fields.device.member, Fields.model.member, Fields.kind.member,
            Fields.name.member, Fields.firmware.member, Fields.capabilities.member,
            Fields.commands.member, Fields.plan.member, Fields.serial.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        let members = try MemberReader(payload: payload)
        try self.init(members, plan: try members.optional(Fields.plan))
    }

    /// Reads a description that was received: where its floor plan is wrong, the device is usable without.
    /// - Returns: the description, and what is wrong with its floor plan.
    /// - Throws: ``PayloadError`` for anything else that is wrong.
    public static func received(
        _ payload: [UInt8]
    ) throws(PayloadError) -> (message: DescriptionMessage, problem: PayloadError?) {
        let members = try MemberReader(payload: payload)
        do {
            let plan = try members.optional(Fields.plan)
            return (try DescriptionMessage(members, plan: plan), nil)
        } catch  where error.path.hasPrefix(Fields.plan.member.name) {
            return (try DescriptionMessage(members, plan: nil), error)
        }
    }

    private init(_ members: MemberReader, plan: RoomPlan?) throws(PayloadError) {
        device = try members.require(Fields.device)
        model = try members.require(Fields.model)
        kind = try members.require(Fields.kind)
        name = try members.optional(Fields.name) ?? device.text
        firmware = try members.optional(Fields.firmware) ?? ""
        capabilities = try members.optional(Fields.capabilities) ?? []
        commands = try members.require(Fields.commands)
        serial = try members.optional(Fields.serial)
        self.plan = plan
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.device, device)
            writer.put(Fields.model, model)
            writer.put(Fields.kind, kind)
            writer.put(Fields.name, name)
            writer.put(Fields.firmware, firmware)
            writer.put(Fields.capabilities, capabilities)
            writer.put(Fields.commands, commands)
            writer.putIfPresent(Fields.plan, plan)
            writer.putIfPresent(Fields.serial, serial)
        }
    }
}
