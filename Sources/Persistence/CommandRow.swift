internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import GRDB

/// A command as columns.
struct CommandRow {
    let record: CommandRecord

    /// Reads a row of the table `command`.
    /// - Throws: ``LedgerError`` `corrupt` if a column holds what was never written.
    init(_ row: Row) throws {
        let intent = try Self.intent(row)
        record = CommandRecord(
            intent: intent, sequence: row["sequence"], payload: Self.bytes(row["payload"]),
            progress: try Self.progress(row, createdAt: intent.issuedAt))
    }

    private static func intent(_ row: Row) throws -> CommandIntent {
        CommandIntent(
            id: try required(CommandID(bytes: bytes(row["id"])), "id"),
            purpose: try required(CommandIntent.Purpose(rawValue: row["purpose"]), "purpose"),
            controller: try required(ControllerID(rawValue: row["controller"]), "controller"),
            home: try required(HomeID(rawValue: row["home"]), "home"),
            device: try required(DeviceID(rawValue: row["device"]), "device"),
            name: CommandName(rawValue: row["name"]),
            arguments: try object(row["arguments"], "arguments"),
            lane: try required(CommandLane(rawValue: row["lane"]), "lane"),
            sort: try required(CommandSort(rawValue: row["sort"]), "sort"),
            offline: try required(
                OfflinePolicy(name: row["offline"], milliseconds: row["offlineMilliseconds"]),
                "offline"),
            issuedAt: Timestamp(milliseconds: row["issuedAt"]),
            expiresAt: Timestamp(milliseconds: row["expiresAt"]),
            ifRevision: row["ifRevision"], cause: row["cause"], isDryRun: row["isDryRun"])
    }

    private static func progress(_ row: Row, createdAt: Timestamp) throws -> CommandProgress {
        CommandProgress(
            step: row["step"],
            state: try required(CommandState(rawValue: row["state"]), "state"),
            code: (row["code"] as String?).map(AckCode.init(rawValue:)),
            message: row["message"], percent: row["percent"],
            result: try object(row["result"], "result"), revision: row["revision"],
            boot: (row["boot"] as String?).flatMap(BootID.init(rawValue:)),
            lastAck: row["lastAck"], sends: row["sends"], mayHaveLeft: row["mayHaveLeft"],
            timings: CommandTimings(
                createdAt: createdAt, sentAt: time(row["sentAt"]),
                acceptedAt: time(row["acceptedAt"]), finalAt: time(row["finalAt"])))
    }

    private static func time(_ milliseconds: Int?) -> Timestamp? {
        milliseconds.map(Timestamp.init(milliseconds:))
    }

    private static func bytes(_ blob: Blob) -> [UInt8] { blob.bytes }

    private static func object(_ blob: Blob, _ column: String) throws -> JSONObject {
        let value = try? JSONReader.read(blob.bytes)
        return try required(value?.object, column)
    }

    private static func required<Value>(_ value: Value?, _ column: String) throws -> Value {
        guard let value else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "column \(column) holds no valid value")
        }
        return value
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
