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

    /// Reads a row of the table `command`.
    /// - Throws: `DatabaseError` if a column holds what was never written; ``LedgerError``
    ///   `newerSchema` if a newer version wrote a word that this one does not know.
    init(_ row: Row) throws {
        number = row["number"]
        let intent = try Self.intent(row)
        record = CommandRecord(
            prepared: PreparedCommand(
                intent: intent,
                channel: try StoredValue.required(ChannelID(rawValue: row["channel"]), "channel"),
                sequence: row["sequence"], payload: Self.bytes(row["payload"])),
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
        let id = try StoredValue.required(CommandID(bytes: bytes(row["id"])), "id")
        return CommandIntent(
            id: id,
            controller: try StoredValue.required(
                ControllerID(rawValue: row["controller"]), "controller"),
            home: try StoredValue.required(HomeID(rawValue: row["home"]), "home"),
            device: try StoredValue.required(DeviceID(rawValue: row["device"]), "device"),
            name: CommandName(rawValue: row["name"]),
            arguments: try object(row["arguments"], "arguments"),
            lane: try StoredValue.word(
                row["lane"], "lane", of: id, CommandLane.init(rawValue:)),
            sort: try StoredValue.word(
                row["sort"], "sort", of: id, CommandSort.init(rawValue:)),
            offline: try StoredValue.word(row["offline"], "offline policy", of: id) {
                OfflinePolicy(name: $0, milliseconds: row["offlineMilliseconds"])
            },
            issuedAt: Timestamp(milliseconds: row["issuedAt"]),
            expiresAt: Timestamp(milliseconds: row["expiresAt"]),
            ifRevision: row["ifRevision"], cause: row["cause"], isDryRun: row["isDryRun"])
    }

    private static func progress(_ row: Row, of id: CommandID) throws -> CommandProgress {
        CommandProgress(
            step: row["step"],
            state: try StoredValue.word(
                row["state"], "state", of: id, CommandState.init(rawValue:)),
            code: (row["code"] as String?).map(AckCode.init(rawValue:)),
            message: row["message"], percent: row["percent"],
            result: try object(row["result"], "result"), revision: row["revision"],
            boot: (row["boot"] as String?).flatMap(BootID.init(rawValue:)),
            lastAck: row["lastAck"], sends: row["sends"],
            desiredRevision: row["desiredRevision"], mayHaveLeft: row["mayHaveLeft"],
            timings: timings(row))
    }

    private static func timings(_ row: Row) -> CommandTimings {
        CommandTimings(
            createdAt: Timestamp(milliseconds: row["createdAt"]), sentAt: time(row["sentAt"]),
            acceptedAt: time(row["acceptedAt"]), finalAt: time(row["finalAt"]),
            observedAt: time(row["observedAt"]))
    }

    private static func time(_ milliseconds: Int?) -> Timestamp? {
        milliseconds.map(Timestamp.init(milliseconds:))
    }

    private static func bytes(_ blob: Blob) -> [UInt8] { blob.bytes }

    private static func object(_ blob: Blob, _ column: String) throws -> JSONObject {
        try StoredValue.required(blob.object, column)
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
