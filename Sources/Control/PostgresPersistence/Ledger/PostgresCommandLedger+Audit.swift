public import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

extension PostgresCommandLedger: AuditLog {
    public func entries(after number: Int, limit: Int) async throws(LedgerError) -> [AuditEntry] {
        try await database.read { [own] connection in
            guard let home = try LogOfHome(own, on: connection) else { return [] }
            var previous = try home.hash(of: number)
            return try home.entries(after: number, limit: limit).map { row in
                defer { previous = row.hash ?? .none }
                return AuditEntry(row, after: previous)
            }
        }
    }

    /// Checks the chain of the home and its commands against it, and the chain of anchors over all homes: whether every
    /// home that was made is there, and the entries that were its last ones.
    public func verify() async throws(LedgerError) -> AuditReport {
        try await database.read { [own] connection in
            _ = try connection.run(
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            defer { _ = try? connection.run(PostgresStatement("COMMIT")) }
            var check = AuditCheck()
            if let home = try LogOfHome(own, on: connection) {
                try home.check(&check)
                try home.checkCommands(against: &check)
            }
            try AnchorCheck(connection).run(&check)
            return check.report
        }
    }
}

/// The log of a home, to be read.
private struct LogOfHome {
    private let key: HomeKey
    private let number: Int
    private let head: AuditHead
    private let connection: PostgresConnection

    /// - Returns: `nil` where the home has no row.
    init?(_ key: HomeKey, on connection: PostgresConnection) throws {
        let rows = try connection.run(
            PostgresStatement(
                "SELECT number, lastNumber, lastHash FROM home WHERE controller = $1 AND home = $2",
                [.text(key.controller.text), .text(key.home.text)]))
        guard let row = rows.first else { return nil }
        var columns = ColumnReader(row)
        self.key = key
        self.connection = connection
        number = try columns.integer("number")
        head = AuditHead(
            number: try columns.integer("lastNumber"),
            hash: try StoredValue.required(SHA256(stored: columns.bytes("lastHash")), "lastHash"))
    }

    func entries(after place: Int, limit: Int) throws -> [AuditRow] {
        try connection.run(
            PostgresStatement(
                """
                SELECT \(list(AuditRow.columns)) FROM event WHERE home = $1 AND number > $2
                ORDER BY number LIMIT $3
                """, [.integer(number), .integer(place), .integer(limit)])
        ).rows.map(AuditRow.init)
    }

    func hash(of place: Int) throws -> SHA256 {
        let rows = try connection.run(
            PostgresStatement(
                "SELECT hash FROM event WHERE home = $1 AND number = $2",
                [.integer(number), .integer(place)]))
        return SHA256(stored: rows.first?.bytes(0)) ?? .none
    }

    func check(_ check: inout AuditCheck) throws {
        var last = 0
        while case let page = try entries(after: last, limit: PostgresCommandLedger.rowsAtOnce),
            let end = page.last
        {
            for row in page { check.take(row) }
            last = end.number
        }
        check.end(at: head)
    }

    /// Compares every command with its entries. A log that is not whole may lack an entry that was
    /// written, so that not everything is asked of it.
    func checkCommands(against check: inout AuditCheck) throws {
        let isWhole = check.report.isIntact
        var last = 0
        while case let rows = try entered(after: last), let end = rows.last?.integer(1) {
            let logs = try logs(of: rows.rows.compactMap { $0.bytes(0) })
            for row in rows.rows {
                let command = try AuditedCommand(
                    row, AuditedLog(row.bytes(0).flatMap { logs[$0] } ?? []))
                for problem in command.problems(inWholeLog: isWhole) {
                    check.note(command.number, problem)
                }
            }
            last = end
        }
        guard isWhole else { return }
        for row in try unlogged().rows {
            let command = try UnloggedCommand(row)
            check.note(command.number ?? check.next, command.problem)
        }
    }

    /// Some entries `created`, in order, with their commands.
    private func entered(after place: Int) throws -> PostgresRows {
        try connection.run(
            PostgresStatement(
                """
                SELECT \(list(AuditedCommand.columns)) FROM event
                LEFT JOIN command ON command.id = event.command
                WHERE event.home = $1 AND event.number > $2 AND event.kind = 'created'
                ORDER BY event.number LIMIT $3
                """,
                [.integer(number), .integer(place), .integer(PostgresCommandLedger.rowsAtOnce)]))
    }

    /// The entries about some commands, in order, by the ids of the commands.
    private func logs(of commands: [[UInt8]]) throws -> [[UInt8]: [AuditedEntry]] {
        let rows = try connection.run(
            PostgresStatement(
                """
                SELECT \(list(AuditedEntry.columns)) FROM event WHERE command = ANY($1::bytea[])
                ORDER BY home, number
                """, [.allBytes(commands)]))
        return Dictionary(grouping: try rows.rows.map(AuditedEntry.init), by: \.command)
    }

    /// The commands without such an entry.
    private func unlogged() throws -> PostgresRows {
        try connection.run(
            PostgresStatement(
                """
                SELECT command.id,
                    (SELECT min(event.number) FROM event WHERE event.command = command.id)
                FROM command WHERE controller = $1 AND home = $2 AND NOT EXISTS (
                    SELECT FROM event WHERE event.command = command.id AND event.kind = 'created')
                ORDER BY command.number
                """, [.text(key.controller.text), .text(key.home.text)]))
    }
}

/// Goes over the chain over all homes.
private struct AnchorCheck {
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection) { self.connection = connection }

    func run(_ check: inout AuditCheck) throws {
        var last = AuditHead()
        while case let rows = try anchors(after: last.number), rows.count > 0 {
            for row in rows.rows { try take(row, after: &last, &check) }
        }
        let head = try connection.run(PostgresStatement("SELECT number, hash FROM anchorHead"))
        if let row = head.first, row.integer(0) != last.number || row.bytes(1) != last.hash.bytes {
            check.note(0, "anchors are missing behind anchor \(last.number)")
        }
        let unanchored = try connection.run(
            PostgresStatement(
                """
                SELECT controller, home FROM home WHERE NOT EXISTS (
                    SELECT FROM anchor WHERE anchor.controller = home.controller
                        AND anchor.home = home.home)
                """))
        for row in unanchored.rows {
            check.note(0, "\(name(row, from: 0)) has no anchor; another program added it")
        }
    }

    private func take(
        _ row: PostgresRow, after last: inout AuditHead, _ check: inout AuditCheck
    ) throws {
        let anchor = try AnchorRow(row)
        let hash = SHA256(stored: row.bytes(AnchorRow.columns.count))
        if anchor.number != last.number + 1 {
            check.note(0, "anchors are missing before anchor \(anchor.number)")
        } else if hash != anchor.hash(after: last.hash) {
            check.note(0, "anchor \(anchor.number) was changed after it was written")
        }
        last = AuditHead(number: anchor.number, hash: hash ?? .none)
        let isThere = row.flag(AnchorRow.columns.count + 1) ?? false
        let entry = row.bytes(AnchorRow.columns.count + 2)
        let home = "the home \(anchor.home) of the controller \(anchor.controller)"
        if !isThere {
            check.note(
                anchor.head.number, "\(home) is missing, which anchor \(anchor.number) names")
        } else if anchor.head.number > 0, entry != anchor.head.hash.bytes {
            check.note(
                anchor.head.number,
                "in \(home) it is not the entry that anchor \(anchor.number) names")
        }
    }

    private func name(_ row: PostgresRow, from column: Int) -> String {
        "the home \(row.text(column + 1) ?? "") of the controller \(row.text(column) ?? "")"
    }

    /// Some anchors, each with its hash, whether its home is there, and the hash of the entry that it names.
    private func anchors(after number: Int) throws -> PostgresRows {
        let columns = AnchorRow.columns.map { "anchor.\($0)" }
        return try connection.run(
            PostgresStatement(
                """
                SELECT \(list(columns)), anchor.hash, home.number IS NOT NULL, event.hash
                FROM anchor
                LEFT JOIN home ON home.controller = anchor.controller AND home.home = anchor.home
                LEFT JOIN event ON event.home = home.number AND event.number = anchor.lastNumber
                WHERE anchor.number > $1 ORDER BY anchor.number LIMIT $2
                """, [.integer(number), .integer(PostgresCommandLedger.rowsAtOnce)]))
    }
}
