public import DeviceDomain
internal import GRDB
public import History

/// What is found about the history beside a ledger, for a diagnosis. Looking changes nothing and makes no file.
public struct HistoryInspection: Sendable {
    /// What a history has.
    public struct Contents: Sendable {
        /// How many devices have something in it.
        public let devices: Int
        /// When its first and last samples were taken; `nil` without samples.
        public let span: ClosedRange<Timestamp>?
        /// What SQLite's `quick_check` found; `nil` for a sound file.
        public let damage: String?
    }

    /// The file.
    public let path: String
    /// Bytes of the file and its log.
    public let size: Int
    /// What is in it, or why that cannot be read; `nil` where there is no file.
    public let contents: Result<Contents, HistoryError>?
    /// Where an earlier, damaged file was moved to; `nil` where there is none.
    public let damagedPath: String?

    /// - Parameter ledger: the path of the ledger.
    public init(besideLedger ledger: String) {
        let file = HistoryFile(ofLedger: ledger)
        path = file.path
        size = file.size
        damagedPath = HistoryFile.exists(file.asidePath) ? file.asidePath : nil
        contents = file.exists ? Self.contents(of: file) : nil
    }

    private static func contents(of file: HistoryFile) -> Result<Contents, HistoryError> {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(
                path: LedgerFile(path: file.path).pathForInspection, configuration: configuration)
            defer { try? queue.close() }
            return .success(try queue.inDatabase(read))
        } catch {
            return .failure(file.explained(error))
        }
    }

    private static func read(_ db: Database) throws -> Contents {
        let check = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard check == "ok" else { return Contents(devices: 0, span: nil, damage: check ?? "") }
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == HistorySchema.applicationID
        else {
            // It is made at this moment, or its first writer had no room.
            return Contents(devices: 0, span: nil, damage: nil)
        }
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT count(DISTINCT device) AS devices, min(first) AS first, max(last) AS last
                FROM (SELECT device, first, last FROM block
                    UNION ALL SELECT device, at, at FROM sample)
                """)
        var span: ClosedRange<Timestamp>?
        if let first: Int = row?["first"], let last: Int = row?["last"], first <= last {
            span = Timestamp(milliseconds: first)...Timestamp(milliseconds: last)
        }
        return Contents(devices: row?["devices"] ?? 0, span: span, damage: nil)
    }
}
