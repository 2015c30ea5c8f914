public import DeviceDomain

/// A command on its way to a device (PROTOCOL section 2, "Command").
public struct CommandMessage: Hashable, Sendable {
    /// Names the command; a resend keeps it.
    public var id: CommandID
    /// Who commands, and whose ack topic answers.
    public var controller: ControllerID
    /// What is to be done.
    public var name: CommandName
    /// The arguments; checked against the device's own description.
    public var arguments: JSONObject
    /// When it was issued (wire clock).
    public var issuedAt: Timestamp
    /// Until when it may be started (wire clock): from `issuedAt` to 24 h after it.
    public var expiresAt: Timestamp
    /// Rises per controller and device from 1; a gap is information, not an error.
    public var sequence: Int
    /// The revision that the state must have.
    public var ifRevision: Int?
    /// The start of the device that is meant.
    public var boot: BootID?
    /// What it belongs to: an undo, a redo, a group.
    public var cause: String?
    /// Whether everything is checked and nothing done.
    public var dryRun: Bool

    public init(
        id: CommandID, controller: ControllerID, name: CommandName, arguments: JSONObject = [:],
        issuedAt: Timestamp, expiresAt: Timestamp, sequence: Int, ifRevision: Int? = nil,
        boot: BootID? = nil, cause: String? = nil, dryRun: Bool = false
    ) {
        self.id = id
        self.controller = controller
        self.name = name
        self.arguments = arguments
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.sequence = sequence
        self.ifRevision = ifRevision
        self.boot = boot
        self.cause = cause
        self.dryRun = dryRun
    }

    /// How long after its issue a command may expire.
    public static let lifetimes: ClosedRange<Duration> = .zero ... .seconds(86_400)
}

extension CommandMessage: PayloadMessage {
    enum Fields {
        static let id = Field<CommandID>.uniqueID(
            "id", "Names the command; a resend is byte-identical and keeps it.")
        static let controller = Field<ControllerID>.identifier(
            "controller", "Who commands; acks go to its ack topic.")
        static let name = Field<CommandName>.openName(
            "name", known: [.queryCommands, .cancelCommand, .identify], "What is to be done.")
        static let arguments = Field.object(
            "arguments", "With what, as the device's description declares it.")
        static let issuedAt = Field.time("issuedAt", "When it was issued (wire clock).")
        static let expiresAt = Field.time(
            "expiresAt",
            "Until when it may be begun (wire clock): from `issuedAt` to 24 h after it.")
        static let sequence = Field.count(
            "sequence", from: 1, "Rises per controller and device; a gap is information.")
        static let ifRevision = Field.integer(
            "ifRevision", "The revision that the state must have, else PRECONDITION."
        ).optional
        static let boot = Field<BootID>.identifier(
            "boot", "The start of the device that is meant, else STALE_SESSION."
        ).optional
        static let cause = Field.text(
            "cause", "What it belongs to: an undo, a redo, a group."
        ).optional
        static let dryRun = Field.flag(
            "dryRun", "Whether everything is checked and nothing done; false if absent."
        ).optional
    }

    public static let shape = PayloadShape(
        name: "command", documentation: "A command to a device.",
        members: [
            Field.version.member, Fields.id.member, Fields.controller.member, Fields.name.member,
            Fields.arguments.member, Fields.issuedAt.member, Fields.expiresAt.member,
            Fields.sequence.member, Fields.ifRevision.member, Fields.boot.member,
            Fields.cause.member, Fields.dryRun.member,
        ])

    /// Parses a command as ``read(_:)`` does, but throws for one that would be refused.
    public init(payload: [UInt8]) throws(PayloadError) {
        switch Self.read(payload) {
        case .unreadable(let error): throw error
        case .refused(let refusal): throw refusal.error
        case .command(let command): self = command
        }
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.id, id)
            writer.put(Fields.controller, controller)
            writer.put(Fields.name, name)
            writer.put(Fields.arguments, arguments)
            writer.put(Fields.issuedAt, issuedAt)
            writer.put(Fields.expiresAt, expiresAt)
            writer.put(Fields.sequence, sequence)
            writer.putIfPresent(Fields.ifRevision, ifRevision)
            writer.putIfPresent(Fields.boot, boot)
            writer.putIfPresent(Fields.cause, cause)
            if dryRun { writer.put(Fields.dryRun, true) }
        }
    }
}
