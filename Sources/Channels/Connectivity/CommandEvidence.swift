public import DeviceDomain
public import DeviceMessages

/// What a channel reports about the outcome of a command: an acknowledgement from the device, or a
/// conclusion that the channel draws from the device's state.
public struct CommandEvidence: Hashable, Sendable {
    /// The source of the evidence.
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
    /// The device that executes the command.
    public var device: DeviceID
    /// The source of the evidence.
    public var source: Source
    /// How far the command has come.
    public var stage: AckStage
    /// Whether this is the final evidence for the command.
    public var isFinal: Bool
    /// The reason as a code.
    public var code: AckCode
    /// The reason as text for users.
    public var message: String
    /// How much of an action is done.
    public var percent: Double?
    /// The result; `previous` is the value that a setting replaced.
    public var result: JSONObject
    /// The first revision of the state that contains the effect; `nil` on channels without
    /// revisions.
    public var revision: Int?
    /// The boot of the device; `nil` on channels without boot ids.
    public var boot: BootID?
    /// The number of the acknowledgement, from 1 for each command; 0 where the device could make
    /// no record; `nil` on channels that do not number them.
    public var n: Int?
    /// How often the effect was started, if the device reports it.
    public var executions: Int?
    /// Whether the device repeats an acknowledgement because the command came again.
    public var isReplay: Bool
    /// When it was first made, if the channel reports it (wire clock).
    public var at: Timestamp?
    /// The received bytes; empty if the channel derived the evidence.
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
    /// - Parameter raw: the received bytes; the canonical encoding if not given.
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
