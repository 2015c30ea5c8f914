public import DeviceDomain

/// A device's acknowledgement of a command (PROTOCOL section 2, "Ack").
public struct AckMessage: Hashable, Sendable {
    /// The command.
    public var id: CommandID
    /// The device that acknowledges.
    public var device: DeviceID
    /// Its start.
    public var boot: BootID
    /// The number of the ack, from 1 for each command; 0 if no record could be made.
    public var n: Int
    /// How far the command has come.
    public var stage: AckStage
    /// Whether no other ack follows; false in a final stage only if no record could be made.
    public var isFinal: Bool
    /// Why.
    public var code: AckCode
    /// Why, for people.
    public var message: String
    /// How much of it is done.
    public var percent: Double?
    /// The result; `previous` is the value that a setting replaced.
    public var result: JSONObject
    /// The current revision; in a final ack the first one that contains the effect.
    public var revision: Int
    /// How often the effect was begun.
    public var executions: Int
    /// Whether this is a stored ack, sent again because the command came again.
    public var isReplay: Bool
    /// When the ack was first made (wire clock).
    public var at: Timestamp

    public init(
        id: CommandID, device: DeviceID, boot: BootID, n: Int, stage: AckStage,
        isFinal: Bool? = nil, code: AckCode = .ok, message: String = "", percent: Double? = nil,
        result: JSONObject = [:], revision: Int, executions: Int, isReplay: Bool = false,
        at: Timestamp
    ) {
        self.id = id
        self.device = device
        self.boot = boot
        self.n = n
        self.stage = stage
        self.isFinal = isFinal ?? stage.isFinal
        self.code = code
        self.message = message
        self.percent = percent
        self.result = result
        self.revision = revision
        self.executions = executions
        self.isReplay = isReplay
        self.at = at
    }

    /// The ack as it is sent when its command comes again.
    public var replayed: AckMessage {
        var copy = self
        copy.isReplay = true
        return copy
    }
}

extension AckMessage: PayloadMessage {
    private enum Fields {
        static let id = Field<CommandID>.uniqueID("id", "The id of the command.")
        static let device = Field<DeviceID>.device()
        static let boot = Field<BootID>.boot()
        static let n = Field.count(
            "n",
            "Rises by one from 1 for each command; 0 where the device could make no record.")
        static let stage = Field<AckStage>.choice(
            "stage",
            "`accepted`, then any number of `progress`, then one final stage; or a final one alone."
        )
        static let final = Field.flag("final", "Whether no other ack follows.")
        static let code = Field<AckCode>.openName("code", known: AckCode.known, "Why.")
        static let message = Field.text("message", "Why, for people.")
        static let percent = Field.number("percent", "How much of the action is done.").optional
        static let result = Field.object(
            "result", "What came of it; `previous` is the value that a setting replaced.")
        static let revision = Field.count(
            "revision",
            "The current revision; in a final ack the first one that contains the effect.")
        static let executions = Field.count(
            "executions", "How often the effect was begun; never above 1 for an action.")
        static let replay = Field.flag(
            "replay", "Whether a stored ack was sent again because the command came again.")
        static let at = Field.time("at", "When the ack was first made (wire clock).")
    }

    public static let shape = PayloadShape(
        name: "ack", documentation: "A device's acknowledgement of a command.",
        members: [
            Field.version.member, Fields.id.member, Fields.device.member, Fields.boot.member,
            Fields.n.member, Fields.stage.member, Fields.final.member, Fields.code.member,
            Fields.message.member, Fields.percent.member, Fields.result.member,
            Fields.revision.member, Fields.executions.member, Fields.replay.member,
            Fields.at.member,
        ])

    public init(payload: [UInt8]) throws(PayloadError) {
        try self.init(MemberReader(payload: payload))
    }

    /// Reads an ack within another payload, such as the result of `query-commands`.
    public init(members: JSONObject) throws(PayloadError) {
        let reader = MemberReader(members)
        try reader.requireVersion()
        try self.init(reader)
    }

    private init(_ members: MemberReader) throws(PayloadError) {
        id = try members.require(Fields.id)
        device = try members.require(Fields.device)
        boot = try members.require(Fields.boot)
        n = try members.require(Fields.n)
        stage = try members.require(Fields.stage)
        isFinal = try members.require(Fields.final)
        code = try members.require(Fields.code)
        message = try members.require(Fields.message)
        percent = try members.optional(Fields.percent)
        result = try members.require(Fields.result)
        revision = try members.require(Fields.revision)
        executions = try members.require(Fields.executions)
        isReplay = try members.require(Fields.replay)
        at = try members.require(Fields.at)
    }

    public var payload: [UInt8] {
        MemberWriter.payload { writer in
            writer.put(Fields.id, id)
            writer.put(Fields.device, device)
            writer.put(Fields.boot, boot)
            writer.put(Fields.n, n)
            writer.put(Fields.stage, stage)
            writer.put(Fields.final, isFinal)
            writer.put(Fields.code, code)
            writer.put(Fields.message, message)
            writer.putIfPresent(Fields.percent, percent)
            writer.put(Fields.result, result)
            writer.put(Fields.revision, revision)
            writer.put(Fields.executions, executions)
            writer.put(Fields.replay, isReplay)
            writer.put(Fields.at, at)
        }
    }
}
