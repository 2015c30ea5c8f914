internal import DeviceDomain
internal import DeviceMessages

/// A command that was handed to the server and whose result may still be seen.
struct OutstandingCommand: Sendable {
    /// How far its requests are.
    enum Progress: Hashable, Sendable {
        /// A request was sent; these texts follow once it was accepted.
        case asked(messageID: String, next: [[UInt8]])
        /// Every request was accepted.
        case accepted
        /// The last answer leaves open what happened, or was lost.
        case undecided
    }

    let id: CommandID
    let device: DeviceID
    let node: UInt64
    let sort: CommandSort
    /// What shows the effect; `nil` where nothing does, or where a later command sets the same.
    var proof: EffectProof?
    var progress: Progress
    /// The request by which the effect is read back and that has no answer yet.
    var reading: String?
    /// How often it was read back.
    var readings = 0
    /// How long it was waited.
    var elapsed = Duration.zero
    /// The number of the wait that is under way; former ones mean nothing.
    var round = 0
    /// How long its effect is waited for.
    let lifetime: Duration

    /// Whether the last request has left, so that a report can be about its effect.
    var isFullySent: Bool {
        switch progress {
        case .asked(_, let next): next.isEmpty
        case .accepted, .undecided: true
        }
    }
}

/// When the effects of commands are read back.
public struct MatterReadBackTiming: Hashable, Sendable {
    /// How long an answer to a command is waited for before the next command to the device is sent. Servers answer for
    /// a silent device after some seconds, or after 30 s and more.
    public var answer: Duration
    /// How long a report is waited for after the answer, before the effect is read.
    public var first: Duration
    /// The longest wait between two readings.
    public var longest: Duration

    public init(
        answer: Duration = .seconds(10), first: Duration = .seconds(1),
        longest: Duration = .seconds(8)
    ) {
        self.answer = answer
        self.first = first
        self.longest = longest
    }
}
