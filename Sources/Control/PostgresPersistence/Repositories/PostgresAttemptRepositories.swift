internal import DeviceControl
public import DeviceDomain
internal import LedgerRows
public import Provisioning

/// The attempts to provision devices, in PostgreSQL beside the ledger.
public struct PostgresProvisioningRepository: ProvisioningRepository {
    private let attempts: Attempts

    /// The attempts in a database.
    public init(_ database: PostgresDatabase) {
        attempts = Attempts(database, table: "provisioning")
    }

    public func latest(
        of label: String, in home: HomeID
    ) async throws(ProvisioningError) -> ProvisioningRecord? {
        try await attempts.latest(
            ProvisioningRow.columns, [("home", home.text), ("label", label)],
            as: { try ProvisioningRow.record($0) })
    }

    public func add(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        guard
            try await attempts.add(
                ProvisioningRow.columns, ProvisioningRow.values(of: record))
        else { throw .otherProcess(record) }
    }

    public func update(_ record: ProvisioningRecord) async throws(ProvisioningError) {
        guard
            try await attempts.update(
                record.attempt, from: record.revision - 1, ProvisioningRow.changingColumns,
                ProvisioningRow.changingValues(of: record))
        else { throw .otherProcess(record) }
    }
}

/// The attempts to bring Matter devices onto servers, in PostgreSQL beside the ledger.
public struct PostgresCommissioningRepository: CommissioningRepository {
    private let attempts: Attempts

    /// The attempts in a database.
    public init(_ database: PostgresDatabase) {
        attempts = Attempts(database, table: "commissioning")
    }

    public func latest(
        of label: String, on channel: ChannelID, in home: HomeID
    ) async throws(ProvisioningError) -> CommissioningRecord? {
        try await attempts.latest(
            CommissioningRow.columns,
            [("home", home.text), ("channel", channel.text), ("label", label)],
            as: { try CommissioningRow.record($0) })
    }

    public func add(_ record: CommissioningRecord) async throws(ProvisioningError) {
        guard
            try await attempts.add(
                CommissioningRow.columns, CommissioningRow.values(of: record))
        else { throw .otherCommissioner }
    }

    public func update(_ record: CommissioningRecord) async throws(ProvisioningError) {
        guard
            try await attempts.update(
                record.attempt, from: record.revision - 1, CommissioningRow.changingColumns,
                CommissioningRow.changingValues(of: record))
        else { throw .otherCommissioner }
    }
}

/// What both share.
private struct Attempts: Sendable {
    private let database: PostgresDatabase
    private let table: String

    init(_ database: PostgresDatabase, table: String) {
        self.database = database
        self.table = table
    }

    func latest<Record: Sendable>(
        _ columns: [String], _ keys: [(column: String, value: String)],
        as record: @escaping @Sendable (PostgresRow) throws -> Record
    ) async throws(ProvisioningError) -> Record? {
        let conditions = keys.enumerated().map { "\($0.element.column) = $\($0.offset + 1)" }
        let statement = PostgresStatement(
            """
            SELECT \(list(columns)) FROM \(table) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY step = 'rolled-back', number DESC LIMIT 1
            """, keys.map { .text($0.value) })
        do {
            return try await database.read { connection in
                try connection.run(statement).first.map(record)
            }
        } catch {
            throw .storage(error)
        }
    }

    /// - Returns: whether there was none.
    func add(
        _ columns: [String], _ values: [ColumnValue]
    ) async throws(ProvisioningError) -> Bool {
        try await change(
            PostgresStatement(
                CommandStatements.statement(into: table, columns) + " ON CONFLICT DO NOTHING",
                columns: values))
    }

    /// - Returns: whether it was as the caller knows it.
    func update(
        _ attempt: ProvisioningAttemptID, from revision: Int, _ columns: [String],
        _ values: [ColumnValue]
    ) async throws(ProvisioningError) -> Bool {
        try await change(
            PostgresStatement(
                """
                UPDATE \(table) SET (\(list(columns))) = (\(marks(for: columns, from: 3)))
                WHERE attempt = $1 AND revision = $2
                """, columns: [.text(attempt.rawValue), .integer(revision)] + values))
    }

    private func change(_ statement: PostgresStatement) async throws(ProvisioningError) -> Bool {
        do {
            return try await database.write { transaction in
                try transaction.query(statement).changed > 0
            }
        } catch {
            throw .storage(error)
        }
    }
}
