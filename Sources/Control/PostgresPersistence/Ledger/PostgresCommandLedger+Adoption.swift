public import Connectivity
public import DeviceControl
public import DeviceDomain
public import DeviceMessages
internal import LedgerRows

extension PostgresCommandLedger {
    /// Takes over the open commands of a home that this process owns: those of former owners, and those that others have
    /// queued since. It finds nothing in a home of somebody else, and leaves alone what only a newer version
    /// understands. A home in which nothing is open or unknown is not taken.
    public func adoptOrphans(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [CommandID] {
        let (key, places) = (HomeKey(controller, home), places())
        if ownership?.owns(home, of: controller) == false, try await !hasUnended(key) { return [] }
        try await take(key)
        try await database.make([key])
        var needs = WriteNeeds()
        needs.homes = [key]
        var adopted: [CommandID] = []
        var last: Int? = 0
        while let place = last {
            let page = try await database.write(needing: needs) { transaction in
                try transaction.adopt(in: key, after: place, at: places)
            }
            adopted += page.ids
            last = page.last
        }
        return adopted
    }

    /// Whether a home has a command that is open, or whose outcome is unknown.
    private func hasUnended(_ home: HomeKey) async throws(LedgerError) -> Bool {
        try await database.read { connection in
            try connection.run(
                PostgresStatement(
                    """
                    SELECT EXISTS (SELECT FROM command WHERE controller = $1 AND home = $2 AND isOpen)
                        OR EXISTS (SELECT FROM command WHERE controller = $1 AND home = $2
                            AND state = 'unknown' AND closedAt IS NULL)
                    """, [.text(home.controller.text), .text(home.home.text)]))
        }.first?.flag(0) ?? false
    }
}

extension PostgresCommandLedger {
    public func changesByOthers() -> BoundedStream<Void> { database.listener.calls(to: own) }
}

extension PostgresTransaction {
    /// Takes over some commands behind a row number.
    /// - Returns: their ids, and the number of the last one that was looked at; `nil` for that at the end.
    fileprivate func adopt(
        in key: HomeKey, after place: Int, at places: CommandPlaces
    ) throws -> (ids: [CommandID], last: Int?) {
        guard let home = try? ownedHome(key) else { return ([], nil) }
        let most = PostgresCommandLedger.rowsAtOnce
        let rows = try query(
            PostgresStatement(
                """
                SELECT \(CommandStatements.columns) FROM command
                WHERE isOpen AND controller = $1 AND home = $2 AND follower <> $3 AND number > $4
                ORDER BY number LIMIT $5
                """,
                [
                    .text(key.controller.text), .text(key.home.text), .integer(home.writer),
                    .integer(place), .integer(most),
                ]))
        let found = try rows.rows.compactMap(CommandRow.ifReadable)
            .filter { places.include($0.record.place) }
        for row in found { try adopt(row.record, at: places, in: home) }
        return (found.map(\.record.id), rows.count == most ? rows.last?.integer(0) : nil)
    }

    private func adopt(
        _ record: CommandRecord, at places: CommandPlaces, in home: LockedHome
    ) throws {
        let progress = record.progress.adopted
        // Who left it did not know where the channels of the owner lead.
        let place = record.place ?? places.here[record.prepared.channel]
        add(
            PostgresStatement(
                """
                UPDATE command SET epoch = $2, follower = $2, step = $3, mayHaveLeft = $4, place = $5
                WHERE id = $1
                """,
                columns: [
                    .bytes(record.id.bytes), .integer(home.writer), .integer(progress.step),
                    .flag(progress.mayHaveLeft), .text(ifAny: place?.description),
                ]))
        try log(
            [
                LedgerEvent(
                    .adopted, of: record.id, at: clock,
                    cause:
                        "another process queued it, or followed it before; the owner of the home follows it now"
                )
            ], in: home.key)
    }
}

extension PostgresCommandLedger: MovingCommands {
    public func elsewhere(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [CommandRecord] {
        // Who owns the home knows where it is.
        if isOfOthers(home, of: controller),
            try await ownership?.owner(of: home, of: controller) != nil
        {
            return []
        }
        let places = places()
        return try await database.read { connection in
            let rows = try connection.run(Self.placed(HomeKey(controller, home)))
            return try rows.rows.compactMap(CommandRow.ifReadable).map(\.record)
                .filter { !places.include($0.place) }
        }
    }

    /// - Throws: ``LedgerError``; `fenced` where another process owns the home.
    public func moveHere(
        of controller: ControllerID, in home: HomeID
    ) async throws(LedgerError) -> [CommandRecord] {
        let (key, places) = (HomeKey(controller, home), places())
        try await take(key)
        try await database.make([key])
        var needs = WriteNeeds()
        needs.homes = [key]
        return try await database.write(needing: needs) { transaction in
            let home = try transaction.ownedHome(key)
            let rows = try transaction.query(Self.placed(key))
            return try rows.rows.compactMap(CommandRow.ifReadable).map(\.record)
                .filter { !places.include($0.place) }
                .map { try transaction.move($0, to: places, in: home) }
        }
    }

    private static func placed(_ key: HomeKey) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT \(CommandStatements.columns) FROM command
            WHERE controller = $1 AND home = $2 AND place IS NOT NULL
                AND (isOpen OR (state = 'unknown' AND closedAt IS NULL))
            ORDER BY number DESC
            """, [.text(key.controller.text), .text(key.home.text)])
    }
}

extension PostgresTransaction {
    fileprivate func move(
        _ record: CommandRecord, to places: CommandPlaces, in home: LockedHome
    ) throws -> CommandRecord {
        var moved = record
        moved.place = places.here[record.prepared.channel]
        add(
            PostgresStatement(
                "UPDATE command SET place = $2, epoch = $3 WHERE id = $1",
                [
                    .bytes(record.id.bytes), PostgresValue(.text(ifAny: moved.place?.description)),
                    .integer(home.writer),
                ]))
        try log([LedgerEvent(moving: record, to: moved.place, at: clock)], in: home.key)
        return moved
    }
}
