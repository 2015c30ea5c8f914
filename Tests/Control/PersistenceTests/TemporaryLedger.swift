import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Foundation
import GRDB
import Persistence
import TestSupport

extension TemporaryFolder {
    /// Where its ledger is.
    var ledgerPath: String { path + "/state/ledger.sqlite" }

    func permissions(of name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: name)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    func size(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: name)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Opens its ledger.
    func openLedger(
        at places: CommandPlaces = CommandPlaces()
    ) throws -> (LedgerDatabase, GRDBCommandLedger) {
        let database = try LedgerDatabase.open(at: ledgerPath)
        return (database, .onManualTime(database, at: places))
    }

    /// A plain connection to its ledger; it waits where a former one is still being closed.
    func otherProgram() throws -> DatabaseQueue {
        try FileManager.default.createDirectory(
            atPath: path + "/state", withIntermediateDirectories: true)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: ledgerPath, configuration: configuration)
    }

    /// Runs statements on its ledger as another program.
    func execute(_ sql: String) throws {
        let queue = try otherProgram()
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }
}

extension GRDBCommandLedger {
    static let start = Timestamp(milliseconds: 1_764_000_000_000)

    static func onManualTime(
        _ database: LedgerDatabase, at places: CommandPlaces = CommandPlaces()
    ) -> GRDBCommandLedger {
        GRDBCommandLedger(database) {
            places
        } now: {
            start
        }
    }
}

extension CommandLedger {
    /// Accepts one command.
    func accept(_ intent: CommandIntent, opening: CommandProgress = .queued)
        async throws(LedgerError) -> CommandRecord
    {
        let records = try await accept([CommandDraft(intent, opening: opening)])
        guard let record = records.first, records.count == 1 else {
            throw LedgerError(.failed, "\(records.count) records of one draft")
        }
        return record
    }

    /// Leaves a command to the owner of its home.
    func leave(_ intent: CommandIntent) async throws(LedgerError) -> CommandRecord {
        var draft = CommandDraft(intent)
        draft.isForOwner = true
        let records = try await accept([draft])
        guard let record = records.first else {
            throw LedgerError(.failed, "no record of a draft")
        }
        return record
    }

    /// Makes one change.
    func advance(
        _ id: CommandID, after step: Int, to new: CommandProgress, because events: [LedgerEvent]
    ) async throws(LedgerError) -> AdvanceVerdict {
        let change = CommandChange(of: id, after: step, to: new, because: events)
        guard let verdict = try await advance([change]).first else {
            throw LedgerError(.failed, "no verdict on a change")
        }
        return verdict
    }

    /// Changes a command's state for one reason.
    @discardableResult
    func advance(
        _ record: CommandRecord, to state: CommandState,
        at time: Timestamp = GRDBCommandLedger.start
    )
        async throws(LedgerError) -> CommandRecord
    {
        var new = record
        new.progress = record.progress.next(state, at: time)
        let event = LedgerEvent(
            .evidence, of: record.id, at: time, cause: "the device says so", state: state)
        _ = try await advance(
            record.id, after: record.progress.step, to: new.progress, because: [event])
        return new
    }

    /// One command from its acceptance to its end.
    func runSample() async throws { try await advance(accept(.sample()), to: .failed) }
}

extension CommandDraft {
    /// A draft whose bytes are those of the Homeport protocol.
    init(
        _ intent: CommandIntent, opening: CommandProgress = .queued, cause: String = "",
        shownArguments: JSONObject? = nil
    ) {
        var opening = opening
        opening.timings.createdAt = intent.issuedAt
        self.init(intent: intent, opening: opening, cause: cause, shownArguments: shownArguments) {
            intent, sequence throws(CommunicationError) in
            try PreparedCommand.sample(intent, sequence: sequence)
        }
    }

    /// A draft whose channel cannot make the bytes.
    static func inexpressible(_ intent: CommandIntent) -> CommandDraft {
        CommandDraft(intent: intent, opening: .queued) { _, _ throws(CommunicationError) in
            throw CommunicationError(
                .cannotExpress, "the channel has no way to say it", underlying: "no such member")
        }
    }
}

extension PreparedCommand {
    /// A command as a channel of the Homeport protocol makes it.
    static func sample(_ intent: CommandIntent, sequence: Int) throws(CommunicationError)
        -> PreparedCommand
    {
        guard let channel = ChannelID(rawValue: "garage-broker") else {
            throw CommunicationError(.noChannel, "the id of the channel is no id")
        }
        let message = CommandMessage(
            id: intent.id, controller: intent.controller, name: intent.name,
            arguments: intent.arguments, issuedAt: intent.issuedAt, expiresAt: intent.expiresAt,
            sequence: sequence, ifRevision: intent.ifRevision, boot: nil, cause: intent.cause,
            dryRun: intent.isDryRun)
        return PreparedCommand(
            intent: intent, channel: channel, sequence: sequence, payload: message.payload)
    }
}

extension CommandIntent {
    /// A command with every optional part.
    static func sample(
        device: String = "robot-1", controller: String = "ctl", home: String = "home-1",
        name: String = "start-cleaning", sort: CommandSort = .action,
        offline: OfflinePolicy = .expire(after: .seconds(600)),
        issuedAt: Timestamp = GRDBCommandLedger.start,
        arguments: JSONObject = ["rooms": [3, 5], "note": "a \"quoted\" ☃ text"]
    ) throws -> CommandIntent {
        var generator = SeededGenerator(seed: .random(in: .min ... .max))
        return CommandIntent(
            id: CommandID(at: issuedAt, using: &generator),
            controller: try ControllerID(controller), home: try HomeID(home),
            device: try DeviceID(device), name: CommandName(rawValue: name),
            arguments: arguments, sort: sort,
            offline: offline, issuedAt: issuedAt, expiresAt: issuedAt.advanced(by: .seconds(30)),
            ifRevision: 7, cause: "undo:x", isDryRun: false)
    }

    /// An acknowledgement of the command, as it came.
    func evidence(_ stage: AckStage, n: Int) throws -> CommandEvidence {
        CommandEvidence(
            AckMessage(
                id: id, device: device, boot: try BootID("b1"), n: n, stage: stage,
                result: ["previous": "max"], revision: 8, executions: 1, at: issuedAt))
    }
}

extension CommandProgress {
    static let queued = CommandProgress(
        step: 1, state: .queued, timings: CommandTimings(createdAt: GRDBCommandLedger.start))

    func next(
        _ state: CommandState, at time: Timestamp = GRDBCommandLedger.start
    ) -> CommandProgress {
        var copy = self
        copy.step += 1
        copy.state = state
        copy.timings.finalAt = state.isFinal ? time : nil
        return copy
    }
}

/// Lets no file of this process grow beyond a size in bytes, so that writes beyond it fail.
func limitFiles(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}
