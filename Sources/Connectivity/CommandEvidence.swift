public import DeviceDomain
public import DeviceMessages

/// What a channel can tell of a command's fate: an acknowledgement of the device, or what the
/// channel concludes from the device's own state.
public struct CommandEvidence: Hashable, Sendable {
    /// Who says it.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// The device acknowledged the command by its id.
        case device
        /// A bridge reported it; matched to the command by the channel.
        case bridge
        /// The device's state, read after the command was delivered, shows the effect.
        case readBack = "read-back"
    }

    /// The command.
    public var id: CommandID
    /// The device that speaks.
    public var device: DeviceID
    /// Who says it.
    public var source: Source
    /// How far the command has come.
    public var stage: AckStage
    /// Whether nothing else follows.
    public var isFinal: Bool
    /// Why.
    public var code: AckCode
    /// Why, for people.
    public var message: String
    /// How much of an action is done.
    public var percent: Double?
    /// What came of it; `previous` is what a setting replaced.
    public var result: JSONObject
    /// The first revision of the state that contains the effect; `nil` on channels without
    /// revisions.
    public var revision: Int?
    /// The start of the device, where the channel tells starts apart.
    public var boot: BootID?
    /// The number of the acknowledgement, from 1 for each command; 0 where the device could make
    /// no record; `nil` on channels that do not number them.
    public var n: Int?
    /// How often the effect was started, where the device tells.
    public var executions: Int?
    /// Whether the device repeats an acknowledgement because the command came again.
    public var isReplay: Bool
    /// When it was first made, where the channel tells (wire clock).
    public var at: Timestamp?
    /// The bytes as they came; empty where the channel concluded it.
    public var raw: [UInt8]

    public init(
        id: CommandID, device: DeviceID, source: Source, stage: AckStage, isFinal: Bool? = nil,
        code: AckCode = .ok, message: String = "", percent: Double? = nil,
        result: JSONObject = [:], revision: Int? = nil, boot: BootID? = nil, n: Int? = nil,
        executions: Int? = nil, isReplay: Bool = false, at: Timestamp? = nil, raw: [UInt8] = []
    ) {
        self.id = id
        self.device = device
        self.source = source
        self.stage = stage
        self.isFinal = isFinal ?? stage.isFinal
        self.code = code
        self.message = message
        self.percent = percent
        self.result = result
        self.revision = revision
        self.boot = boot
        self.n = n
        self.executions = executions
        self.isReplay = isReplay
        self.at = at
        self.raw = raw
    }

    /// An acknowledgement of the Homeport protocol.
    /// - Parameter raw: the bytes as they came; the canonical ones if not given.
    public init(_ ack: AckMessage, raw: [UInt8]? = nil) {
        self.init(
            id: ack.id, device: ack.device, source: .device, stage: ack.stage,
            isFinal: ack.isFinal, code: ack.code, message: ack.message, percent: ack.percent,
            result: ack.result, revision: ack.revision, boot: ack.boot, n: ack.n,
            executions: ack.executions, isReplay: ack.isReplay, at: ack.at,
            raw: raw ?? ack.payload)
    }

    /// Whether the success that it reports was seen in the device's state.
    public var provesEffect: Bool { source == .readBack && stage == .succeeded }
}
