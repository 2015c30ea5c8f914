package import DeviceControl
package import DeviceDomain
internal import LedgerRows

/// Who drives homes of a controller, and who owns which, at one moment.
package struct HomeStanding: Hashable, Sendable {
    /// An instance that takes its share of the homes, and is alive.
    package struct Instance: Hashable, Sendable {
        /// Its row.
        package let number: Int
        /// Which homes it takes.
        package let takes: ServedHomes

        package init(number: Int, takes: ServedHomes) {
            self.number = number
            self.takes = takes
        }
    }

    /// What tells a standing from an earlier one, without looking at each home.
    package struct Mark: Hashable, Sendable {
        fileprivate let instances: [String]
        fileprivate let homes: [[Int?]]
    }

    /// Who asks.
    package let own: Int
    /// In the order of their numbers.
    package let instances: [Instance]
    /// Every home, and the living process that owns it, which need not be one of the instances.
    package let owners: [HomeID: Int?]
    /// Differs where something of this does.
    package let mark: Mark

    package init(
        own: Int, instances: [Instance], owners: [HomeID: Int?],
        mark: Mark = Mark(instances: [], homes: [])
    ) {
        self.own = own
        self.instances = instances
        self.owners = owners
        self.mark = mark
    }
}

extension HomeOwnership {
    /// Who has which home. An instance that drives several asks.
    /// - Parameter mark: that of an earlier standing.
    /// - Returns: `nil` where it is the same as then.
    package func standing(
        unlike mark: HomeStanding.Mark?
    ) async throws(LedgerError) -> HomeStanding? {
        guard let serving else { return nil }
        let own = try await ownInstance()
        let controller = PostgresValue.text(serving.controller.text)
        let standing = try await database.read { connection -> HomeStanding? in
            let counts = try connection.run([Self.living, Self.countedHomes(of: controller)])
            let living = try counts[0].rows.map(LivingProcess.init)
            let new = HomeStanding.Mark(
                instances: living.map(\.text),
                homes: counts[1].rows.map { row in (0...2).map(row.integer) })
            guard new != mark else { return nil }
            let rows = try connection.run(
                PostgresStatement(
                    "SELECT home, instance FROM home WHERE controller = $1", [controller]))
            let alive = Set(living.map(\.number))
            var owners: [HomeID: Int?] = [:]
            for row in rows.rows {
                let home = try StoredValue.required(row.text(0).flatMap(HomeID.init), "home")
                owners[home] = .some(row.integer(1).flatMap { alive.contains($0) ? $0 : nil })
            }
            return HomeStanding(
                own: own,
                instances: living.compactMap { $0.instance(of: serving.controller) },
                owners: owners, mark: new)
        }
        if let standing {
            database.held.noteMade(
                Set(standing.owners.keys.map { HomeKey(serving.controller, $0) }))
        }
        return standing
    }

    /// Gives homes their rows that have none.
    package func make(_ homes: Set<HomeID>) async throws(LedgerError) {
        guard let controller = serving?.controller else { return }
        try await database.make(Set(homes.map { HomeKey(controller, $0) }))
    }

    private static let living = PostgresStatement(
        """
        SELECT number, controller, onlyHomes FROM instance WHERE expiresAt > ledgerClock()
        ORDER BY number
        """)

    private static func countedHomes(of controller: PostgresValue) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT instance, count(*), sum(epoch)::bigint FROM home WHERE controller = $1
            GROUP BY instance ORDER BY instance
            """, [controller])
    }
}

extension HomeOwnership.Serving {
    /// The homes as the table has them; `nil` for all.
    var onlyHomes: String? {
        switch homes {
        case .all: nil
        case .only(let homes): homes.sorted().map(\.text).joined(separator: ",")
        }
    }
}

/// A process whose lease lasts.
private struct LivingProcess {
    let number: Int
    private let controller: String?
    private let onlyHomes: String?

    init(_ row: PostgresRow) throws {
        number = try StoredValue.required(row.integer(0), "number")
        controller = row.text(1)
        onlyHomes = row.text(2)
    }

    /// Differs where anything of it does.
    var text: String { "\(number) \(controller ?? "") \(onlyHomes ?? "")" }

    /// The process as an instance of a controller; `nil` for any other.
    func instance(of controller: ControllerID) -> HomeStanding.Instance? {
        guard self.controller == controller.text else { return nil }
        let homes = onlyHomes.map { text in
            Set(text.split(separator: ",").compactMap { HomeID(rawValue: String($0)) })
        }
        return HomeStanding.Instance(number: number, takes: homes.map(ServedHomes.only) ?? .all)
    }
}
