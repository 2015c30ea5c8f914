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
        var columns = ColumnReader(row)
        number = columns.next()
        let intent = try Self.intent(&columns)
        record = CommandRecord(
            prepared: PreparedCommand(
                intent: intent,
                channel: try StoredValue.required(ChannelID(rawValue: columns.next()), "channel"),
                sequence: columns.next(), payload: columns.nextBlob().bytes),
            progress: try Self.progress(&columns, of: intent.id),
            place: columns.nextIfAny().map(CommandPlaces.Place.init(_:)))
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

    private static func intent(_ columns: inout ColumnReader) throws -> CommandIntent {
        let id = try StoredValue.required(CommandID(bytes: columns.nextBlob().bytes), "id")
        return CommandIntent(
            id: id,
            controller: try StoredValue.required(
                ControllerID(rawValue: columns.next()), "controller"),
            home: try StoredValue.required(HomeID(rawValue: columns.next()), "home"),
            device: try StoredValue.required(DeviceID(rawValue: columns.next()), "device"),
            name: CommandName(rawValue: columns.next()),
            arguments: try object(columns.nextBlob(), "arguments"),
            lane: try StoredValue.word(
                columns.next(), "lane", of: id, CommandLane.init(rawValue:)),
            sort: try StoredValue.word(
                columns.next(), "sort", of: id, CommandSort.init(rawValue:)),
            offline: try offlinePolicy(&columns, of: id),
            issuedAt: Timestamp(milliseconds: columns.next()),
            expiresAt: Timestamp(milliseconds: columns.next()),
            ifRevision: columns.nextIfAny(), cause: columns.nextIfAny(), isDryRun: columns.next())
    }

    private static func offlinePolicy(_ columns: inout ColumnReader, of id: CommandID) throws
        -> OfflinePolicy
    {
        let (name, milliseconds): (String, Int?) = (columns.next(), columns.nextIfAny())
        return try StoredValue.word(name, "offline policy", of: id) {
            OfflinePolicy(name: $0, milliseconds: milliseconds)
        }
    }

    private static func progress(_ columns: inout ColumnReader, of id: CommandID) throws
        -> CommandProgress
    {
        CommandProgress(
            step: columns.next(),
            state: try StoredValue.word(
                columns.next(), "state", of: id, CommandState.init(rawValue:)),
            code: columns.nextIfAny().map(AckCode.init(rawValue:)), message: columns.next(),
            percent: columns.nextIfAny(), result: try object(columns.nextBlob(), "result"),
            revision: columns.nextIfAny(),
            boot: columns.nextIfAny().flatMap(BootID.init(rawValue:)),
            lastAck: columns.next(), sends: columns.next(), desiredRevision: columns.nextIfAny(),
            mayHaveLeft: columns.next(), timings: timings(&columns))
    }

    private static func timings(_ columns: inout ColumnReader) -> CommandTimings {
        CommandTimings(
            createdAt: Timestamp(milliseconds: columns.next()), sentAt: time(columns.nextIfAny()),
            acceptedAt: time(columns.nextIfAny()), finalAt: time(columns.nextIfAny()),
            observedAt: time(columns.nextIfAny()), closedAt: time(columns.nextIfAny()))
    }

    private static func time(_ milliseconds: Int?) -> Timestamp? {
        milliseconds.map(Timestamp.init(milliseconds:))
    }

    private static func object(_ blob: Blob, _ column: String) throws -> JSONObject {
        try StoredValue.required(blob.object, column)
    }
}

/// Reads the values of a row in their order: by a name GRDB would look through all columns.
private struct ColumnReader {
    private let row: Row
    private var position = 0

    init(_ row: Row) { self.row = row }

    mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>() -> Value {
        defer { position += 1 }
        return row[position]
    }

    mutating func nextIfAny<Value: DatabaseValueConvertible & StatementColumnConvertible>()
        -> Value?
    {
        defer { position += 1 }
        return row[position]
    }

    mutating func nextBlob() -> Blob {
        defer { position += 1 }
        return row[position]
    }
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
