internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

extension PostgresTransaction {
    /// Adds a process, with a lease.
    /// - Parameter serving: which homes it drives, if it drives several.
    /// - Returns: the number of its row, and what the clock of the database shows.
    func addInstance(
        _ name: String, lease: Duration, serving: HomeOwnership.Serving?
    ) throws -> (number: Int, time: Timestamp) {
        // Rows of processes that have ended, and that no home names any more.
        add(
            PostgresStatement(
                """
                DELETE FROM instance WHERE expiresAt < ledgerClock() - $1
                    AND NOT EXISTS (SELECT FROM home WHERE home.instance = instance.number)
                """, [.integer(86_400_000)]))
        let rows = try query(
            PostgresStatement(
                """
                INSERT INTO instance (name, beganAt, expiresAt, controller, onlyHomes)
                VALUES ($1, ledgerClock(), ledgerClock() + $2, $3, $4) RETURNING number, beganAt
                """,
                columns: [
                    .text(name), .integer(lease.wholeMilliseconds),
                    .text(ifAny: serving?.controller.text), .text(ifAny: serving?.onlyHomes),
                ]))
        var columns = ColumnReader(try StoredValue.required(rows.first, "instance"))
        return (try columns.integer("number"), try columns.moment("beganAt"))
    }

    /// Takes a home where it is free.
    func take(
        _ home: HomeKey, for instance: Int, named name: String, lease: Duration
    ) throws -> HomeOwnership.Taking {
        lockAnchors()
        let found = try query(
            PostgresStatement(
                """
                SELECT number, epoch, instance, lastNumber, lastHash FROM home
                WHERE controller = $1 AND home = $2 FOR NO KEY UPDATE
                """, [.text(home.controller.text), .text(home.home.text)]))
        var columns = ColumnReader(try StoredValue.required(found.first, "home"))
        let (number, epoch) = (try columns.integer("number"), try columns.integer("epoch"))
        let former = columns.integerIfAny()
        let head = AuditHead(
            number: try columns.integer("lastNumber"),
            hash: try StoredValue.required(SHA256(stored: columns.bytes("lastHash")), "lastHash"))
        if let former, former == instance {
            add(Self.extending(instance, lease))
            return .taken(epoch: epoch)
        }
        if let former, let holder = try holder(former) { return holder }
        try addAnchor(home, epoch: epoch + 1, instance: name, head)
        add(
            PostgresStatement(
                "UPDATE home SET epoch = epoch + 1, instance = $2 WHERE number = $1",
                [.integer(number), .integer(instance)]))
        add(Self.extending(instance, lease))
        return .taken(epoch: epoch + 1)
    }

    /// Who has a lease that lasts. Its row is locked first, so that it is not renewed meanwhile.
    private func holder(_ instance: Int) throws -> HomeOwnership.Taking? {
        add(
            PostgresStatement(
                "SELECT FROM instance WHERE number = $1 FOR UPDATE", [.integer(instance)]))
        let rows = try query(
            PostgresStatement(
                """
                SELECT name, expiresAt - ledgerClock() FROM instance
                WHERE number = $1 AND expiresAt > ledgerClock()
                """, [.integer(instance)]))
        guard let row = rows.first, let name = row.text(0), let left = row.integer(1) else {
            return nil
        }
        return .held(by: name, milliseconds: left)
    }

    /// Extends a lease.
    /// - Parameter known: the homes that the instance believes to own, with their epochs.
    /// - Returns: those that it owns, and what the clock of the database shows; `nil` where the instance has been
    ///   forgotten.
    func renew(
        _ instance: Int, lease: Duration, knowing known: [HomeKey: Int]
    ) throws -> (homes: [HomeKey: Int], time: Timestamp)? {
        guard let extended = try query(Self.extending(instance, lease)).first else { return nil }
        var end = ColumnReader(extended)
        let time = try end.moment("expiresAt").advanced(by: .zero - lease)
        let sums = try query(
            PostgresStatement(
                "SELECT count(*), coalesce(sum(epoch), 0)::bigint FROM home WHERE instance = $1",
                [.integer(instance)]))
        // A home that is lost lowers the count, and nobody else gives it another one.
        if sums.first?.integer(0) == known.count,
            sums.first?.integer(1) == known.values.reduce(0, +)
        {
            return (known, time)
        }
        let rows = try query(
            PostgresStatement(
                "SELECT controller, home, epoch FROM home WHERE instance = $1",
                [.integer(instance)]))
        var homes: [HomeKey: Int] = [:]
        for row in rows.rows {
            var columns = ColumnReader(row)
            homes[try HomeKey(&columns)] = try columns.integer("epoch")
        }
        return (homes, time)
    }

    /// Gives up every home of an instance, and forgets it.
    func release(_ instance: Int) throws {
        lockAnchors()
        try anchorReleased(
            query(
                PostgresStatement(
                    "UPDATE home SET instance = NULL WHERE instance = $1 \(Self.released)",
                    [.integer(instance)])))
        add(
            PostgresStatement(
                "DELETE FROM instance WHERE number = $1", [.integer(instance)]))
    }

    /// Gives up a home, if that ownership of it lasts.
    func release(_ key: HomeKey, _ tenure: HeldHomes.Tenure) throws {
        lockAnchors()
        try anchorReleased(
            query(
                PostgresStatement(
                    """
                    UPDATE home SET instance = NULL
                    WHERE controller = $1 AND home = $2 AND instance = $3 AND epoch = $4
                    \(Self.released)
                    """,
                    [
                        .text(key.controller.text), .text(key.home.text),
                        .integer(tenure.instance), .integer(tenure.epoch),
                    ])))
    }

    private static let released = "RETURNING controller, home, epoch, lastNumber, lastHash"

    private func anchorReleased(_ rows: PostgresRows) throws {
        for row in rows.rows {
            var columns = ColumnReader(row)
            let key = try HomeKey(&columns)
            let epoch = try columns.integer("epoch")
            let head = AuditHead(
                number: try columns.integer("lastNumber"),
                hash: try StoredValue.required(
                    SHA256(stored: columns.bytes("lastHash")), "lastHash"))
            try addAnchor(key, epoch: epoch, instance: nil, head)
        }
    }

    private static func extending(_ instance: Int, _ lease: Duration) -> PostgresStatement {
        PostgresStatement(
            "UPDATE instance SET expiresAt = ledgerClock() + $2 WHERE number = $1 RETURNING expiresAt",
            [.integer(instance), .integer(lease.wholeMilliseconds)])
    }
}

extension HomeKey {
    /// Reads the columns `controller` and `home`.
    init(_ columns: inout ColumnReader<PostgresRow>) throws {
        self.init(
            try StoredValue.required(
                ControllerID(rawValue: columns.text("controller")), "controller"),
            try StoredValue.required(HomeID(rawValue: columns.text("home")), "home"))
    }
}

extension PostgresDatabase {
    /// Makes the rows of homes that have none.
    func make(_ homes: Set<HomeKey>) async throws(LedgerError) {
        let unmade = held.unmade(homes)
        guard !unmade.isEmpty else { return }
        try await write { transaction in
            for key in unmade.sorted() {
                let rows = try transaction.query(
                    PostgresStatement(
                        """
                        INSERT INTO home (controller, home) VALUES ($1, $2)
                        ON CONFLICT DO NOTHING RETURNING number
                        """, [.text(key.controller.text), .text(key.home.text)]))
                if rows.count > 0 {
                    try transaction.addAnchor(key, epoch: 0, instance: nil, AuditHead())
                }
            }
        }
        held.noteMade(unmade)
    }
}
