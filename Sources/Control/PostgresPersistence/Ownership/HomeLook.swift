internal import Basics
package import DeviceControl
package import DeviceDomain
internal import LedgerRows

/// Differs where any row of a kind in a home does.
package struct RowMark: Hashable, Sendable {
    /// How many there are.
    let count: Int
    /// The sum of the transactions that have written them.
    let writers: Int
}

/// What there is to do in the homes of an instance, read at once for all of them.
package struct HomeLook: Sendable {
    /// The homes with open commands that this instance does not follow yet.
    package let orphaned: Set<HomeID>
    /// The homes with commands whose outcome is unknown.
    package let unknown: Set<HomeID>
    /// The homes with schedules. Of other instances too, as in all below.
    package let schedules: [HomeID: RowMark]
    /// The homes with rules.
    package let rules: [HomeID: RowMark]
    /// The homes in which the user has named something.
    package let labels: [HomeID: RowMark]
    /// The last numbers of the logs of homes with open commands.
    let logEnds: [HomeID: Int]
}

extension HomeOwnership {
    /// Looks at all homes of an instance that drives several. From then on their schedules and rules are read again only
    /// where a look finds that they have changed. For an instance that takes all homes, those that have only these get
    /// their row.
    package func look() async throws(LedgerError) -> HomeLook? {
        guard let serving else { return nil }
        let own = try await ownInstance()
        let controller = PostgresValue.text(serving.controller.text)
        let look = try await database.read { connection in
            let results = try connection.run([
                Self.waiting(in: .integer(own)), Self.marks(of: "schedule", controller),
                Self.marks(of: "rule", controller), Self.labelMarks,
            ])
            let waiting = try results[0].rows.map(HomeWithCommands.init)
            return HomeLook(
                orphaned: Set(waiting.filter(\.isOrphaned).map(\.home)),
                unknown: Set(waiting.filter(\.isUnknown).map(\.home)),
                schedules: try results[1].marks(), rules: try results[2].marks(),
                labels: try results[3].marks(),
                logEnds: Dictionary(waiting.map { ($0.home, $0.logEnd) }) { $1 })
        }
        database.noteLogEnds(look.logEnds, of: serving.controller)
        database.schedules.note(look.schedules, of: serving.controller)
        database.rules.note(look.rules, of: serving.controller)
        if serving.homes == .all {
            try await make(Set(look.schedules.keys).union(look.rules.keys))
        }
        return look
    }

    private static func waiting(in instance: PostgresValue) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT home, orphaned, unknown, lastNumber FROM (
                SELECT home, lastNumber,
                    EXISTS (SELECT FROM command
                        WHERE isOpen AND command.controller = home.controller
                            AND command.home = home.home) AS open,
                    EXISTS (SELECT FROM command
                        WHERE isOpen AND command.controller = home.controller
                            AND command.home = home.home AND follower <> home.epoch) AS orphaned,
                    EXISTS (SELECT FROM command
                        WHERE state = 'unknown' AND closedAt IS NULL
                            AND command.controller = home.controller
                            AND command.home = home.home) AS unknown
                FROM home WHERE instance = $1) AS found
            WHERE open OR unknown
            """, [instance])
    }

    private static func marks(
        of table: String, _ controller: PostgresValue
    ) -> PostgresStatement {
        PostgresStatement(
            "SELECT \(markColumns) FROM \(table) WHERE controller = $1 GROUP BY home", [controller])
    }

    private static let labelMarks = PostgresStatement(
        """
        SELECT \(markColumns) FROM (
            SELECT home, xmin FROM label UNION ALL SELECT home, xmin FROM room) AS named
        GROUP BY home
        """)

    private static let markColumns = "home, count(*), sum(xmin::text::bigint)::bigint"
}

/// A home of the instance with commands that are open, or whose outcome is unknown.
private struct HomeWithCommands {
    let home: HomeID
    let isOrphaned: Bool
    let isUnknown: Bool
    let logEnd: Int

    init(_ row: PostgresRow) throws {
        home = try row.home()
        isOrphaned = row.flag(1) ?? false
        isUnknown = row.flag(2) ?? false
        logEnd = try StoredValue.required(row.integer(3), "lastNumber")
    }
}

extension PostgresRow {
    /// The home in the first column.
    fileprivate func home() throws -> HomeID {
        try StoredValue.required(text(0).flatMap { HomeID(rawValue: $0) }, "home")
    }
}

extension PostgresRows {
    fileprivate func marks() throws -> [HomeID: RowMark] {
        let marks = try rows.map { row in
            (
                try row.home(),
                RowMark(
                    count: try StoredValue.required(row.integer(1), "count"),
                    writers: try StoredValue.required(row.integer(2), "sum"))
            )
        }
        return Dictionary(marks) { $1 }
    }
}

/// What was read last of homes whose rows have been the same since, as looks tell. Where nobody looks, nothing is kept.
final class KeptRows<Value: Sendable>: Sendable {
    private let state = Guarded(State())

    private struct State {
        /// Of the latest look; `nil` before the first one.
        var marks: [HomeKey: RowMark]?
        var kept: [HomeKey: (mark: RowMark, rows: [Value])] = [:]
    }

    /// Homes have these rows, and others have none.
    func note(_ marks: [HomeID: RowMark], of controller: ControllerID) {
        let pairs = marks.map { (HomeKey(controller, $0.key), $0.value) }
        state.withLock { state in
            let marks = Dictionary(pairs) { $1 }
            state.marks = marks
            state.kept = state.kept.filter { marks[$0.key] != nil }
        }
    }

    /// The rows of a home, read only where they may have changed.
    func rows(
        of home: HomeKey, _ read: () async throws(LedgerError) -> [Value]
    ) async throws(LedgerError) -> [Value] {
        let (isLooked, mark, kept) = state.withLock { state in
            (state.marks != nil, state.marks?[home], state.kept[home])
        }
        guard isLooked else { return try await read() }
        guard let mark else { return [] }
        if let kept, kept.mark == mark { return kept.rows }
        let rows = try await read()
        state.withLock { $0.kept[home] = (mark, rows) }
        return rows
    }
}
