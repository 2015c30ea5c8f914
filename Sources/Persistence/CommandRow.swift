internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

/// A command as columns.
struct CommandRow {
    /// The number of the row; it rises in the order of acceptance.
    let number: Int64
    /// The command.
    let record: CommandRecord

    init(number: Int64, record: CommandRecord) {
        self.number = number
        self.record = record
    }

    /// Reads a row of ``CommandRow/columns``.
    /// - Throws: `DatabaseError` if a column holds what was never written; ``LedgerError``
    ///   `newerSchema` if a newer version wrote a word that this one does not know.
    init(_ row: Row) throws {
        number = row.value(.number)
        let intent = try Self.intent(row)
        record = CommandRecord(
            prepared: PreparedCommand(
                intent: intent,
                channel: try StoredValue.required(
                    ChannelID(rawValue: row.value(.channel)), "channel"),
                sequence: row.value(.sequence), payload: row.blob(.payload).bytes),
            progress: try Self.progress(row, of: intent.id))
    }

    /// Reads rows and leaves out those that only a newer version understands.
    static func readable(_ rows: RowCursor, limit: Int) throws -> [CommandRow] {
        var found: [CommandRow] = []
        while found.count < limit, let row = try rows.next() {
            do {
                found.append(try CommandRow(row))
            } catch let error as LedgerError where error.code == .newerSchema {
                continue
            }
        }
        return found
    }

    private static func intent(_ row: Row) throws -> CommandIntent {
        let id = try StoredValue.required(CommandID(bytes: row.blob(.id).bytes), "id")
        return CommandIntent(
            id: id,
            controller: try StoredValue.required(
                ControllerID(rawValue: row.value(.controller)), "controller"),
            home: try StoredValue.required(HomeID(rawValue: row.value(.home)), "home"),
            device: try StoredValue.required(DeviceID(rawValue: row.value(.device)), "device"),
            name: CommandName(rawValue: row.value(.name)),
            arguments: try object(row.blob(.arguments), "arguments"),
            lane: try StoredValue.word(
                row.value(.lane), "lane", of: id, CommandLane.init(rawValue:)),
            sort: try StoredValue.word(
                row.value(.sort), "sort", of: id, CommandSort.init(rawValue:)),
            offline: try StoredValue.word(row.value(.offline), "offline policy", of: id) {
                OfflinePolicy(name: $0, milliseconds: row.optional(.offlineMilliseconds))
            },
            issuedAt: Timestamp(milliseconds: row.value(.issuedAt)),
            expiresAt: Timestamp(milliseconds: row.value(.expiresAt)),
            ifRevision: row.optional(.ifRevision), cause: row.optional(.cause),
            isDryRun: row.value(.isDryRun))
    }

    private static func progress(_ row: Row, of id: CommandID) throws -> CommandProgress {
        CommandProgress(
            step: row.value(.step),
            state: try StoredValue.word(
                row.value(.state), "state", of: id, CommandState.init(rawValue:)),
            code: row.optional(.code).map(AckCode.init(rawValue:)),
            message: row.value(.message), percent: row.optional(.percent),
            result: try object(row.blob(.result), "result"), revision: row.optional(.revision),
            boot: row.optional(.boot).flatMap(BootID.init(rawValue:)),
            lastAck: row.value(.lastAck), sends: row.value(.sends),
            desiredRevision: row.optional(.desiredRevision), mayHaveLeft: row.value(.mayHaveLeft),
            timings: timings(row))
    }

    private static func timings(_ row: Row) -> CommandTimings {
        CommandTimings(
            createdAt: Timestamp(milliseconds: row.value(.createdAt)),
            sentAt: time(row.optional(.sentAt)),
            acceptedAt: time(row.optional(.acceptedAt)), finalAt: time(row.optional(.finalAt)),
            observedAt: time(row.optional(.observedAt)))
    }

    private static func time(_ milliseconds: Int?) -> Timestamp? {
        milliseconds.map(Timestamp.init(milliseconds:))
    }

    private static func object(_ blob: Blob, _ column: String) throws -> JSONObject {
        try StoredValue.required(blob.object, column)
    }
}

extension CommandRow {
    /// The columns of the table `command`, in the order in which statements name them. A value is read by
    /// its place: GRDB would compare the name with every column's, and a row has many.
    enum Column: Int, CaseIterable {
        case number
        // What is wanted.
        case id, owner, controller, home, device, channel, name, arguments, lane, sort, offline,
            offlineMilliseconds, issuedAt, expiresAt, sequence, ifRevision, cause, isDryRun,
            payload
        // What is known of the outcome.
        case step, state, isOpen, code, message, percent, result, revision, boot, lastAck, sends,
            desiredRevision, mayHaveLeft, createdAt, sentAt, acceptedAt, finalAt, observedAt
    }
}

extension Row {
    fileprivate func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: CommandRow.Column
    ) -> Value { self[column.rawValue] }

    fileprivate func optional<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: CommandRow.Column
    ) -> Value? { self[column.rawValue] }

    fileprivate func blob(_ column: CommandRow.Column) -> Blob { self[column.rawValue] }
}

extension OfflinePolicy {
    init?(name: String, milliseconds: Int?) {
        switch (name, milliseconds) {
        case ("fail-fast", nil): self = .failFast
        case ("latest", nil): self = .latest
        case ("barrier", nil): self = .barrier
        case ("desired", nil): self = .desired
        case ("expire", let milliseconds?): self = .expire(after: .milliseconds(milliseconds))
        default: return nil
        }
    }

    /// The policy's name and its time, as columns.
    var columns: (name: String, milliseconds: Int?) {
        switch self {
        case .failFast: ("fail-fast", nil)
        case .expire(let time): ("expire", time.wholeMilliseconds)
        case .latest: ("latest", nil)
        case .barrier: ("barrier", nil)
        case .desired: ("desired", nil)
        }
    }
}
