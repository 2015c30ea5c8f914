public import DeviceControl
public import DeviceDomain
internal import GRDB

/// What a ledger contains, for a diagnosis.
public struct LedgerContents: Sendable {
    /// Whether this version wrote it, or has brought it up to date. Of an older one only ``damage``
    /// is known.
    public let isCurrent: Bool
    /// What SQLite's `quick_check` found, at most ten lines; empty for a sound file.
    public let damage: [String]
    /// What the check of the audit chain found; `nil` for an older or damaged ledger.
    public let audit: AuditReport?
    /// How many commands of the controller have an unknown outcome.
    public let unknownOutcomes: Int
    /// The devices of the home that were ever seen.
    public let devices: [RememberedDevice]

    init(
        of database: LedgerDatabase, isCurrent: Bool, _ controller: ControllerID, _ home: HomeID
    ) async throws(LedgerError) {
        self.isCurrent = isCurrent
        damage = try await database.read(Self.quickCheck)
        guard isCurrent, damage.isEmpty else {
            (audit, unknownOutcomes, devices) = (nil, 0, [])
            return
        }
        audit = try await GRDBCommandLedger(database) { Timestamp(milliseconds: 0) }.verify()
        unknownOutcomes = try await database.read { db in
            try Self.unknownOutcomes(of: controller, in: home, db)
        }
        devices = try GRDBDeviceRepository(database).readDevices(in: home)
    }

    private static func quickCheck(_ db: Database) throws -> [String] {
        let lines = try String.fetchAll(db, sql: "PRAGMA quick_check(10)")
        return lines == ["ok"] ? [] : lines
    }

    private static func unknownOutcomes(
        of controller: ControllerID, in home: HomeID, _ db: Database
    ) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM command
                WHERE state = 'unknown' AND closedAt IS NULL AND controller = ? AND home = ?
                """, arguments: [controller.text, home.text]) ?? 0
    }
}
