internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

/// What a transaction reads in its first exchange.
struct TransactionOpening {
    private let needs: WriteNeeds
    private let devices: [DeviceKey]
    private let superseded: [DeviceKey]
    private let homeKeys: [HomeKey]

    init(_ needs: WriteNeeds) {
        self.needs = needs
        devices = Array(needs.devices)
        superseded = Array(needs.superseded)
        homeKeys = needs.homes.sorted()
    }

    /// The statements; what comes behind the first three is there only if it is needed.
    var statements: [PostgresStatement] {
        [PostgresStatement("BEGIN"), locks, Self.time] + optional.map(\.statement)
    }

    private enum Part: Hashable {
        case commands, sequences, superseded
        case evidence(Int)
    }

    private var optional: [(part: Part, statement: PostgresStatement)] {
        var parts: [(Part, PostgresStatement)] = []
        if !needs.commands.isEmpty {
            parts.append((.commands, CommandStatements.selection(of: Array(needs.commands))))
        }
        if !devices.isEmpty { parts.append((.sequences, lastSequences)) }
        if !superseded.isEmpty { parts.append((.superseded, openCommands)) }
        for (index, event) in needs.evidence.enumerated() {
            parts.append((.evidence(index), CommandStatements.search(for: event)))
        }
        return parts
    }

    private func rows(_ part: Part, _ results: [PostgresRows]) -> PostgresRows? {
        optional.firstIndex { $0.part == part }.map { results[$0 + 3] }
    }

    // MARK: Answers

    func clock(_ results: [PostgresRows]) throws -> (Timestamp, String) {
        let row = try StoredValue.required(results[2].first, "clock")
        return (
            Timestamp(milliseconds: try StoredValue.required(row.integer(0), "clock")),
            try StoredValue.required(row.text(1), "transaction")
        )
    }

    func homes(_ results: [PostgresRows], _ held: HeldHomes) throws -> [LockedHome] {
        try results[1].rows.map { row in
            var columns = ColumnReader(row)
            let number = try columns.integer("number")
            let key = HomeKey(
                try StoredValue.required(
                    ControllerID(rawValue: columns.text("controller")), "controller"),
                try StoredValue.required(HomeID(rawValue: columns.text("home")), "home"))
            let epoch = try columns.integer("epoch")
            let instance = columns.integerIfAny()
            let head = AuditHead(
                number: try columns.integer("lastNumber"),
                hash: try StoredValue.required(
                    SHA256(stored: columns.bytes("lastHash")), "lastHash"))
            let tenure = held.tenure(of: key)
            return LockedHome(
                key: key, number: number,
                isOwned: tenure.map { $0.epoch == epoch && $0.instance == instance } ?? false,
                tenure: tenure?.epoch ?? 0, head: head)
        }
    }

    func commands(_ results: [PostgresRows]) throws -> [CommandRow] {
        let needed = try rows(.commands, results)?.rows.map(CommandRow.init) ?? []
        let open = try rows(.superseded, results)?.rows.compactMap(CommandRow.ifReadable) ?? []
        return needed + open
    }

    func sequences(_ results: [PostgresRows]) throws -> [DeviceKey: Int] {
        guard let rows = rows(.sequences, results) else { return [:] }
        var last: [DeviceKey: Int] = [:]
        for row in rows.rows {
            guard let index = row.integer(0), let number = row.integer(1) else { continue }
            last[devices[index - 1]] = number
        }
        return last
    }

    func knownEvidence(_ results: [PostgresRows]) -> Set<LedgerEvent> {
        Set(
            needs.evidence.enumerated().compactMap { index, event in
                rows(.evidence(index), results)?.first?.flag(0) == true ? event.asKnown : nil
            })
    }

    // MARK: Statements

    /// In the order of their numbers, so that no two transactions wait for each other.
    private var locks: PostgresStatement {
        PostgresStatement(
            """
            SELECT number, controller, home, epoch, instance, lastNumber, lastHash FROM home
            WHERE number = ANY(ARRAY(
                SELECT home.number FROM unnest($1::text[], $2::text[]) AS wanted(controller, home)
                    JOIN home USING (controller, home)
                UNION SELECT home.number FROM command JOIN home USING (controller, home)
                    WHERE command.id = ANY($3::bytea[])))
            ORDER BY number FOR NO KEY UPDATE
            """,
            [
                .texts(homeKeys.map(\.controller.text)), .texts(homeKeys.map(\.home.text)),
                .allBytes(needs.commands.map(\.bytes)),
            ])
    }

    private static let time = PostgresStatement(
        "SELECT ledgerClock(), pg_current_xact_id()::text")

    private static let wantedDevices = """
        unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY
            AS wanted(controller, home, device, ordinal)
        """

    private static func values(of devices: [DeviceKey]) -> [PostgresValue] {
        [
            .texts(devices.map(\.home.controller.text)), .texts(devices.map(\.home.home.text)),
            .texts(devices.map(\.device.text)),
        ]
    }

    private var lastSequences: PostgresStatement {
        PostgresStatement(
            """
            SELECT ordinal, (
                SELECT max(sequence) FROM command
                WHERE command.controller = wanted.controller AND command.home = wanted.home
                    AND command.device = wanted.device)
            FROM \(Self.wantedDevices)
            """, Self.values(of: devices))
    }

    private var openCommands: PostgresStatement {
        PostgresStatement(
            """
            SELECT \(CommandStatements.columns) FROM command
            JOIN \(Self.wantedDevices) USING (controller, home, device) WHERE isOpen
            """, Self.values(of: superseded))
    }
}
