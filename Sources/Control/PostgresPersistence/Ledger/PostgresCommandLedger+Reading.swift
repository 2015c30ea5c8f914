public import DeviceControl
internal import DeviceDomain
public import DeviceMessages
internal import LedgerRows

extension PostgresCommandLedger {
    /// - Throws: ``LedgerError``; `newerSchema` if only a newer version understands the command.
    public func record(of id: CommandID) async throws(LedgerError) -> CommandRecord? {
        try await database.read { connection in
            try connection.run(CommandStatements.selection(of: [id])).first
                .map { try CommandRow($0).record }
        }
    }

    public func records(of ids: [CommandID]) async throws(LedgerError) -> [CommandRecord] {
        guard !ids.isEmpty else { return [] }
        return try await database.read { connection in
            let rows = try connection.run(CommandStatements.selection(of: ids)).rows
            let records = try rows.compactMap(CommandRow.ifReadable).map(\.record)
            let byID = Dictionary(records.map { ($0.id, $0) }) { first, _ in first }
            return ids.compactMap { byID[$0] }
        }
    }

    /// Commands, newest first by the time when they were made, without those that only a newer version understands.
    public func history(_ query: HistoryQuery) async throws(LedgerError) -> [CommandRecord] {
        let places = query.isHere ? places() : CommandPlaces()
        return try await database.read { connection in
            let (last, isTooLong) = query.offset.addingReportingOverflow(query.limit)
            var found: [CommandRecord] = []
            var before = Int.max
            while found.count < (isTooLong ? .max : last) {
                let most = min(Self.rowsAtOnce, isTooLong ? .max : last - found.count)
                let rows = try connection.run(query.statement(before, most, at: places))
                found += try rows.rows.compactMap(CommandRow.ifReadable).map(\.record)
                guard rows.count == most, let end = rows.last?.integer(0) else { break }
                before = end
            }
            // Several processes may have entered theirs in another order than they made them.
            return Array(found.dropFirst(query.offset)).newestFirst
        }
    }

    static let rowsAtOnce = 1_000

    public func events(of id: CommandID) async throws(LedgerError) -> [LedgerEvent] {
        try await database.read { connection in
            try connection.run(CommandStatements.events(of: id)).rows.map(EventRow.event)
        }
    }

    public func withdrawals(after place: LedgerPlace?) async throws(LedgerError) -> Withdrawals {
        if let place, let end = database.logEnd(of: own), end <= place.number {
            return Withdrawals(records: [], end: place)
        }
        return try await database.read { [own] connection in
            let home: [PostgresValue] = [.text(own.controller.text), .text(own.home.text)]
            let end = try connection.run(
                PostgresStatement(
                    "SELECT number, lastNumber FROM home WHERE controller = $1 AND home = $2", home)
            )
            guard let row = end.first, let number = row.integer(0), let last = row.integer(1) else {
                return Withdrawals(records: [], end: LedgerPlace(0))
            }
            guard let place, place.number < last else {
                return Withdrawals(records: [], end: LedgerPlace(last))
            }
            let rows = try connection.run(
                PostgresStatement(
                    """
                    SELECT \(CommandStatements.columns) FROM command WHERE id IN (
                        SELECT command FROM event WHERE home = $1 AND number > $2 AND number <= $3
                            AND kind IN ('withdrawn', 'put-away'))
                    """, [.integer(number), .integer(place.number), .integer(last)]))
            return Withdrawals(
                records: try rows.rows.compactMap(CommandRow.ifReadable).map(\.record),
                end: LedgerPlace(last))
        }
    }
}

extension HistoryQuery {
    /// The query with the conditions that it has, for so many rows before a number.
    fileprivate func statement(
        _ before: Int, _ most: Int, at places: CommandPlaces
    ) -> PostgresStatement {
        var conditions = [stage.condition, "number < $1"]
        var values: [PostgresValue] = [.integer(before), .integer(most)]
        func add(_ value: PostgresValue?, _ condition: (String) -> String) {
            guard let value else { return }
            values.append(value)
            conditions.append(condition("$\(values.count)"))
        }
        add((controller?.text).map(PostgresValue.text)) { "controller = \($0)" }
        add((home?.text).map(PostgresValue.text)) { "home = \($0)" }
        add(devices.map { .texts($0.map(\.text)) }) { "device = ANY(\($0)::text[])" }
        add(cause.map(PostgresValue.text)) { "cause = \($0)" }
        add(states.map { .texts($0.map(\.rawValue)) }) { "state = ANY(\($0)::text[])" }
        add(since.map(PostgresValue.moment)) { "issuedAt >= \($0)" }
        add(until.map(PostgresValue.moment)) { "issuedAt < \($0)" }
        add(idEnding.map(PostgresValue.text)) {
            "right(encode(id, 'hex'), length(\($0)::text)) = \($0)"
        }
        if !places.here.isEmpty {
            let here = places.others.union(places.here.values).map(\.description)
            add(.texts(here)) { "(place IS NULL OR place = ANY(\($0)::text[])" }
            let running = PostgresValue.texts(places.running.map(\.description))
            if places.followsFleet {
                values += [.text(CommandPlaces.Place.privately), running]
                conditions[conditions.count - 1] +=
                    " OR (right(place, length($\(values.count - 1)::text)) = $\(values.count - 1)"
                    + " AND place <> ALL($\(values.count)::text[]))"
            }
            conditions[conditions.count - 1] += ")"
        }
        return PostgresStatement(
            """
            SELECT \(CommandStatements.columns) FROM command
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY number DESC LIMIT $2
            """, values)
    }
}

extension HistoryQuery.Stage {
    /// As a condition on a row of the table `command`.
    fileprivate var condition: String {
        switch self {
        case .any: "TRUE"
        case .waiting: "isOpen AND (state IN ('created', 'queued') OR desiredRevision IS NOT NULL)"
        case .unknown: "state = 'unknown' AND closedAt IS NULL"
        }
    }
}
