public import Connectivity
public import DeviceDomain
public import DeviceMessages

/// The durable memory of commands, shared by every process of a controller. A command is written
/// to it before it is sent.
///
/// Each method is one use case and one transaction. A process owns the commands that it accepted
/// or adopted for as long as it lives; a dead process owns nothing. The ledger is a log of events:
/// every change is written together with what caused it.
public protocol CommandLedger: Sendable {
    /// Whether commands of this process may leave now. Where a ledger is shared by machines, not once others may have
    /// taken its home: it is asked each time before bytes leave. True by default.
    var letsCommandsLeave: Bool { get }

    /// Whether another process may own a home and send its commands, so that this one leaves commands to the owner
    /// (``CommandDraft/isForOwner``) and follows them in the ledger. False by default: each process sends what it has
    /// accepted.
    func isOfOthers(_ home: HomeID, of controller: ControllerID) -> Bool

    /// Takes commands in, all or none, allots their sequence numbers and owns them.
    ///
    /// A sequence number is the greater of the last one for the controller and device plus 1 and
    /// the wire clock in milliseconds at issue (PROTOCOL section 2), so that a new ledger does not
    /// fall behind what the device has applied. When it returns, neither the death of the process
    /// nor a power cut loses the commands.
    ///
    /// In the same transaction it withdraws the commands of any process that wait for the device and
    /// whose place a new one takes: see ``CommandIntent/supersedes(_:)``. Their processes learn of it
    /// by ``withdrawals(after:)``.
    func accept(_ drafts: [CommandDraft]) async throws(LedgerError) -> [CommandRecord]

    /// Replaces the progress of each of these commands that still is the one that the caller knows,
    /// and writes down what caused the change; all or none are written.
    ///
    /// It survives the death of the process. A change to `sending` survives a power cut too, and
    /// everything before it: it is the one change that must not be forgotten, because from then
    /// on the device may act. A power cut that undoes any other change leaves an earlier state,
    /// from which the device is asked.
    /// - Returns: what each change came to, in their order.
    func advance(_ changes: [CommandChange]) async throws(LedgerError) -> [AdvanceVerdict]

    /// Takes back a command of any process that waits and has not left.
    /// - Returns: the command as it stands after that; unchanged where it does not wait any more;
    ///   `nil` if the ledger does not have it.
    func withdraw(_ id: CommandID) async throws(LedgerError) -> CommandRecord?

    /// The commands that were withdrawn or put away from a place of the log on.
    /// - Parameter place: the `end` of an earlier answer; `nil` to learn the end alone.
    func withdrawals(after place: LedgerPlace?) async throws(LedgerError) -> Withdrawals

    /// Writes down events that change no progress. An event of a command that the ledger does not
    /// have is kept as well.
    func append(_ events: [LedgerEvent]) async throws(LedgerError)

    /// Stores evidence that changes nothing, once, with the command it is about.
    func file(_ evidence: CommandEvidence, at: Timestamp) async throws(LedgerError)
        -> EvidenceFiling

    /// Takes over the open commands of a controller in a home whose processes are dead: see
    /// ``CommandProgress/isOpen``. Those for another broker than the home's are left alone.
    /// - Returns: their ids, in the order of acceptance; ``records(of:)`` reads the commands, some at a time.
    func adoptOrphans(of controller: ControllerID, in home: HomeID)
        async throws(LedgerError) -> [CommandID]

    /// A new stream that has an element when another process has left something to this one: a command that waits, or
    /// one that it has taken back or put away. It may miss some, so that it is looked for them at times all the same.
    /// Nothing ever comes by default.
    func changesByOthers() -> BoundedStream<Void>

    /// A command, if the ledger has it.
    func record(of id: CommandID) async throws(LedgerError) -> CommandRecord?

    /// Those of some commands that the ledger has and this version understands, in their order.
    func records(of ids: [CommandID]) async throws(LedgerError) -> [CommandRecord]

    /// Commands, newest first.
    func history(_ query: HistoryQuery) async throws(LedgerError) -> [CommandRecord]

    /// Everything that happened to a command, in the order in which it was written.
    func events(of id: CommandID) async throws(LedgerError) -> [LedgerEvent]

    /// Gives out the revision of settings that a link is to keep for a device. No two documents get one revision, whoever
    /// of the ledger writes them.
    /// - Parameter least: one above each revision that was seen.
    /// - Returns: `least`, or more where that was given out before; `least` by default.
    func allotRevision(
        ofSettingsFor device: DeviceID, in home: HomeID, atLeast least: Int
    ) async throws(LedgerError) -> Int

    /// Who owned the home of a command during its life, in order, beginning with who owned it before; empty by default.
    func tenures(during command: CommandID) async throws(LedgerError) -> [HomeTenure]
}

extension CommandLedger {
    public var letsCommandsLeave: Bool { true }

    public func isOfOthers(_ home: HomeID, of controller: ControllerID) -> Bool { false }

    public func allotRevision(
        ofSettingsFor device: DeviceID, in home: HomeID, atLeast least: Int
    ) async throws(LedgerError) -> Int { least }

    public func tenures(
        during command: CommandID
    ) async throws(LedgerError) -> [HomeTenure] { [] }

    public func changesByOthers() -> BoundedStream<Void> {
        let (stream, source) = BoundedStream<Void>.make(.dropOldest(limit: 1))
        source.finish()
        return stream
    }
}

/// A command that the ledger is to take in.
public struct CommandDraft: Sendable {
    /// Makes the bytes once the sequence number is known; it must not block.
    public typealias Prepare =
        @Sendable (CommandIntent, _ sequence: Int) throws(CommunicationError) -> PreparedCommand

    /// What is wanted.
    public let intent: CommandIntent
    /// Its progress after it was enqueued: `queued`, or `sending` if it leaves at once.
    public let opening: CommandProgress
    /// Why it has this progress, for people.
    public let cause: String
    /// The arguments as the log may show them: without secrets.
    public let shownArguments: JSONObject
    /// Whether it waits for the owner of its home, whoever that is: nothing of this process counts for it, such as its
    /// clock or where its channels lead.
    public var isForOwner = false
    /// Makes the bytes.
    public let prepare: Prepare

    /// - Parameter shownArguments: `nil` where there is no secret among the arguments.
    public init(
        intent: CommandIntent, opening: CommandProgress, cause: String = "",
        shownArguments: JSONObject? = nil, prepare: @escaping Prepare
    ) {
        self.intent = intent
        self.shownArguments = shownArguments ?? intent.arguments
        self.opening = opening
        self.cause = cause
        self.prepare = prepare
    }
}

/// Commands that were withdrawn before they left, or put away.
public struct Withdrawals: Hashable, Sendable {
    /// The commands as they stand.
    public let records: [CommandRecord]
    /// The end of the log.
    public let end: LedgerPlace

    public init(records: [CommandRecord], end: LedgerPlace) {
        self.records = records
        self.end = end
    }
}

/// A change of a command's progress.
public struct CommandChange: Sendable {
    /// Which command.
    public let command: CommandID
    /// The step of the progress that the caller knows.
    public let step: Int
    /// The new progress.
    public let progress: CommandProgress
    /// What caused the change, in order. They are written in any case.
    public let events: [LedgerEvent]
    /// The command as another channel sends it, where it goes over that one from now on; `nil` where it does
    /// not change its channel. Its intent and its sequence are the same.
    public let rerouted: PreparedCommand?

    public init(
        of command: CommandID, after step: Int, to progress: CommandProgress,
        because events: [LedgerEvent], rerouted: PreparedCommand? = nil
    ) {
        self.rerouted = rerouted
        self.command = command
        self.step = step
        self.progress = progress
        self.events = events
    }
}

/// What a compare-and-set came to.
public enum AdvanceVerdict: Hashable, Sendable {
    /// The new progress holds.
    case advanced
    /// Another process was faster; this is what holds.
    case overtaken(CommandRecord)
}

/// What the ledger knows of evidence.
public struct EvidenceFiling: Hashable, Sendable {
    /// The command that it is about; `nil` if the ledger does not have it.
    public let record: CommandRecord?
    /// Whether it was not known before.
    public let isNew: Bool

    public init(record: CommandRecord?, isNew: Bool) {
        self.record = record
        self.isNew = isNew
    }
}

/// Which commands a history is about.
public struct HistoryQuery: Hashable, Sendable {
    /// How far commands have come.
    public enum Stage: Hashable, Sendable {
        /// Wherever they stand.
        case any
        /// They wait to be sent, or are kept for a device that has not reported them.
        case waiting
        /// Their outcome is unknown, and nobody has put them away.
        case unknown

        /// Whether a command belongs to it.
        public func includes(_ progress: CommandProgress) -> Bool {
            switch self {
            case .any: true
            case .waiting:
                progress.isOpen
                    && (progress.state == .created || progress.state == .queued || progress.isKept)
            case .unknown: progress.state == .unknown && !progress.isClosed
            }
        }
    }

    /// The controller; `nil` for every one.
    public var controller: ControllerID?
    /// The home; `nil` for every one.
    public var home: HomeID?
    /// The devices; `nil` for every one.
    public var devices: Set<DeviceID>?
    /// What links them to other commands; `nil` for anything.
    public var cause: String?
    /// How far they have come.
    public var stage: Stage
    /// Whether those for another broker than the home's are left out.
    public var isHere: Bool
    /// The states in which they stand; `nil` for every one.
    public var states: Set<CommandState>?
    /// When the first of them was made; `nil` for any time.
    public var since: Timestamp?
    /// Before when the last of them was made; `nil` for any time.
    public var until: Timestamp?
    /// What their ids end in: hexadecimal digits in lower case, without hyphens; `nil` for anything.
    public var idEnding: String?
    /// So many of the newest ones are left out.
    public var offset: Int
    /// The most commands.
    public var limit: Int

    public init(
        controller: ControllerID? = nil, home: HomeID? = nil, devices: Set<DeviceID>? = nil,
        cause: String? = nil, stage: Stage = .any, isHere: Bool = false,
        states: Set<CommandState>? = nil,
        since: Timestamp? = nil, until: Timestamp? = nil, idEnding: String? = nil, offset: Int = 0,
        limit: Int = 50
    ) {
        self.states = states
        self.since = since
        self.until = until
        self.offset = offset
        self.idEnding = idEnding
        self.cause = cause
        self.controller = controller
        self.home = home
        self.devices = devices
        self.stage = stage
        self.isHere = isHere
        self.limit = limit
    }
}
