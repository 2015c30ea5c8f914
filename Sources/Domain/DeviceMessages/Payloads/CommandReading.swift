public import DeviceDomain

/// A device's verdict on the bytes of a command, before any other check (PROTOCOL
/// section 3, rule 2).
public enum CommandReading: Hashable, Sendable {
    /// No ack is possible: the command is dropped and counted.
    case unreadable(PayloadError)
    /// The sender is known and must be told.
    case refused(CommandRefusalReading)
    /// It is a command.
    case command(CommandMessage)
}

/// Why a command whose sender is known is no command.
public struct CommandRefusalReading: Hashable, Sendable {
    /// The id to answer.
    public let id: CommandID
    /// The controller to answer.
    public let controller: ControllerID
    /// `UNSUPPORTED_VERSION` or `BAD_REQUEST`.
    public let code: AckCode
    /// What is wrong with the payload.
    public let error: PayloadError

    /// What is wrong, for the ack.
    public var message: String { error.description }

    init(id: CommandID, controller: ControllerID, error: PayloadError) {
        self.id = id
        self.controller = controller
        self.error = error
        code = error.code == .unsupportedVersion ? .unsupportedVersion : .badRequest
    }
}

extension CommandMessage {
    /// Reads the bytes of a command and gives one of the three verdicts of rule 2, by the bytes
    /// alone:
    ///
    /// 1. **Unreadable**: too large, too deep, not UTF-8, not JSON, not an object; or `id` or
    ///    `controller` is missing, doubled or not valid. JSON's grammar is RFC 8259's; an escape
    ///    of half a surrogate pair is no Unicode text and counts as invalid UTF-8.
    /// 2. **Refused as `UNSUPPORTED_VERSION`**: `v` is an integer other than 1. Nothing else is
    ///    checked, because members may have another meaning in another version.
    /// 3. **Refused as `BAD_REQUEST`**: `v` is missing, doubled or no integer; any other member
    ///    is doubled, known or not, also within `arguments`; a number is beyond a double's range;
    ///    a known member is missing, of the wrong type or not allowed; `expiresAt` is not from
    ///    `issuedAt` to 24 h after it. The grammar of JSON allows all of these, so the sender is
    ///    known and is told.
    public static func read(_ payload: [UInt8]) -> CommandReading {
        do {
            return try CommandEnvelope(payload).reading
        } catch {
            return .unreadable(error)
        }
    }
}

/// A command whose sender is known.
private struct CommandEnvelope {
    let id: CommandID
    let controller: ControllerID
    let members: MemberReader
    let defect: PayloadError?

    init(_ payload: [UInt8]) throws(PayloadError) {
        let document = try JSONDocument(payload)
        members = MemberReader(document.members)
        defect = document.defect
        id = try members.requireOnce(CommandMessage.Fields.id)
        controller = try members.requireOnce(CommandMessage.Fields.controller)
    }

    var reading: CommandReading {
        do {
            return .command(try command())
        } catch {
            return .refused(CommandRefusalReading(id: id, controller: controller, error: error))
        }
    }

    private func command() throws(PayloadError) -> CommandMessage {
        if members.count(of: Field.version.member.name) < 2 { try members.requireVersion() }
        if let defect { throw defect }
        typealias Fields = CommandMessage.Fields
        let command = CommandMessage(
            id: id, controller: controller, name: try members.require(Fields.name),
            arguments: try members.require(Fields.arguments),
            issuedAt: try members.require(Fields.issuedAt),
            expiresAt: try members.require(Fields.expiresAt),
            sequence: try members.require(Fields.sequence),
            ifRevision: try members.optional(Fields.ifRevision),
            boot: try members.optional(Fields.boot), cause: try members.optional(Fields.cause),
            dryRun: try members.optional(Fields.dryRun) ?? false)
        try command.checkLifetime()
        return command
    }
}

extension CommandMessage {
    fileprivate func checkLifetime() throws(PayloadError) {
        guard !Self.lifetimes.contains(expiresAt.since(issuedAt)) else { return }
        throw PayloadError(
            code: .outOfRange, path: Fields.expiresAt.member.name,
            message: "must be from issuedAt to 24 h after it")
    }
}

extension MemberReader {
    fileprivate func requireOnce<Value>(_ field: Field<Value>) throws(PayloadError) -> Value {
        guard count(of: field.member.name) < 2 else {
            throw PayloadError(
                code: .duplicateMember, path: field.member.name, message: "comes twice")
        }
        return try require(field)
    }
}
