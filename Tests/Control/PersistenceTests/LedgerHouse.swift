import Automation
import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import PostgresPersistence
import Provisioning
import TestSupport
import Testing

/// What is tested of every ledger.
typealias TestedLedger = AuditLog & CommandLedger & MovingCommands

/// The databases that a ledger may be in.
enum LedgerKind: CaseIterable, Sendable {
    case sqlite, postgresql

    /// Runs `body` with a ledger.
    func withLedger(_ body: (any TestedLedger) async throws -> Void) async throws {
        try await withHouse { house in try await body(house.open().ledger) }
    }

    /// Runs `body` with what several processes share.
    func withHouse(_ body: (LedgerHouse) async throws -> Void) async throws {
        switch self {
        case .sqlite: try await body(LedgerHouse(.sqlite(try TemporaryFolder())))
        case .postgresql:
            try await withPostgreSQL { database in
                try await body(LedgerHouse(.postgresql(database)))
            }
        }
    }
}

/// A database with a ledger, as several processes and another program see it. Its clock stands still.
struct LedgerHouse: Sendable {
    enum Database: Sendable {
        case sqlite(TemporaryFolder)
        case postgresql(PostgreSQLDatabase)
    }

    private static let homes = [
        ("ctl", "home-1"), ("ctl", "home-2"), ("other", "home-1"), ("homeport", "home-1"),
    ]

    let database: Database

    init(_ database: Database) { self.database = database }

    /// Opens the ledger as another process, which owns the homes of the tests if nobody else does.
    func open(at places: CommandPlaces = CommandPlaces()) async throws -> LedgerProcess {
        switch database {
        case .sqlite(let folder):
            let (database, ledger) = try folder.openLedger(at: places)
            return LedgerProcess(ledger: ledger) { database.retire() }
        case .postgresql:
            let opened = try await openPostgreSQL()
            let ownership = HomeOwnership(opened, named: "tests", lease: .seconds(600))
            for (controller, home) in Self.homes {
                _ = try await ownership.take(try HomeID(home), of: try ControllerID(controller))
            }
            let ledger = PostgresCommandLedger(
                opened, of: try ControllerID("ctl"), in: try HomeID("home-1")
            ) {
                places
            }
            return LedgerProcess(ledger: ledger) {
                try await ownership.release()
                opened.close()
            }
        }
    }

    /// Opens a database of PostgreSQL as another process.
    func openPostgreSQL(_ limits: PostgresLimits = PostgresLimits()) async throws
        -> PostgresDatabase
    {
        guard case .postgresql(let database) = database else {
            throw TestSupportError("a file is no database of PostgreSQL")
        }
        let address = try PostgresAddress(database.url)
        let opened = try await onThread { try PostgresDatabase(address, limits) }
        try await setClock(GRDBCommandLedger.start)
        return opened
    }

    /// Runs a statement as another program, which PostgreSQL lets do everything. `'00'::hex` are bytes in both dialects.
    func execute(_ sql: String) async throws {
        switch database {
        case .sqlite: try await executeUnderRules(sql)
        case .postgresql:
            try await executeUnderRules("SET session_replication_role = replica; \(sql)")
        }
    }

    /// Changes the log as another program.
    func changeLog(_ sql: String) async throws {
        switch database {
        case .sqlite:
            try await execute(
                "DROP TRIGGER eventIsNotChanged; DROP TRIGGER eventIsNotDeleted; \(sql)")
        case .postgresql: try await execute(sql)
        }
    }

    /// The same with the rules of the schema.
    func executeUnderRules(_ sql: String) async throws {
        switch database {
        case .sqlite(let folder): try folder.execute(sql.withBytes { "x'\($0)'" })
        case .postgresql(let database):
            try await database.execute(sql.withBytes { "'\\x\($0)'::bytea" })
        }
    }

    /// Sets the clock that sequence numbers come from, where the database has one.
    func setClock(_ moment: Timestamp) async throws {
        guard case .postgresql(let database) = database else { return }
        try await database.execute(
            """
            CREATE OR REPLACE FUNCTION homeport.ledgerClock() RETURNS bigint LANGUAGE sql VOLATILE AS
                'SELECT \(moment.milliseconds)::bigint'
            """)
    }
}

/// A process that has the ledger open.
struct LedgerProcess: Sendable {
    let ledger: any TestedLedger
    /// Ends it in order.
    let end: @Sendable () async throws -> Void

    init(ledger: any TestedLedger, end: @escaping @Sendable () async throws -> Void) {
        self.ledger = ledger
        self.end = end
    }
}

extension String {
    /// With each `'00'::hex` written otherwise.
    fileprivate func withBytes(_ literal: (Substring) -> String) -> String {
        replacing(/'([0-9a-f]*)'::hex/) { literal($0.1) }
    }
}

extension LedgerHouse {
    /// That of the test that runs: see ``OnEveryDatabase``.
    @TaskLocal private static var current: LedgerHouse?

    static func requireCurrent() throws -> LedgerHouse {
        guard let current else { throw TestSupportError("the suite has no .onEveryDatabase") }
        return current
    }

    fileprivate func asCurrent(_ body: () async throws -> Void) async throws {
        try await Self.$current.withValue(self, operation: body)
    }

    // MARK: Repositories, each as another process opens it

    func labels() async throws -> any TestedLabels {
        try await opened({ GRDBLabelRepository($0) }, { PostgresLabelRepository($0) })
    }

    func devices() async throws -> any DeviceRepository {
        try await opened({ GRDBDeviceRepository($0) }, { PostgresDeviceRepository($0) })
    }

    func schedules() async throws -> any ScheduleRepository {
        try await opened({ GRDBScheduleRepository($0) }, { PostgresScheduleRepository($0) })
    }

    func rules() async throws -> any TestedRules {
        try await opened({ GRDBRuleRepository($0) }, { PostgresRuleRepository($0) })
    }

    func provisioning() async throws -> any ProvisioningRepository {
        try await opened({ GRDBProvisioningRepository($0) }, { PostgresProvisioningRepository($0) })
    }

    func commissioning() async throws -> any CommissioningRepository {
        try await opened(
            { GRDBCommissioningRepository($0) }, { PostgresCommissioningRepository($0) })
    }

    private func opened<Repository>(
        _ file: (LedgerDatabase) -> Repository, _ server: (PostgresDatabase) -> Repository
    ) async throws -> Repository {
        switch database {
        case .sqlite(let folder): return file(try folder.openLedger().0)
        case .postgresql:
            let opened = try await openPostgreSQL()
            // Whoever runs schedules and rules owns the home.
            _ = try await HomeOwnership(opened, named: "tests", lease: .seconds(600))
                .take(HomeID("home-1"), of: ControllerID("homeport"))
            return server(opened)
        }
    }
}

/// Also what only callers that may block use.
protocol TestedLabels: LabelRepository {
    func readLabels(in home: HomeID) throws(LedgerError) -> HomeLabels
}

/// As ``TestedLabels``.
protocol TestedRules: RuleRepository {
    func readRules(of controller: ControllerID, in home: HomeID) throws(LedgerError) -> [Rule]
}

extension GRDBLabelRepository: TestedLabels {}
extension PostgresLabelRepository: TestedLabels {}
extension GRDBRuleRepository: TestedRules {}
extension PostgresRuleRepository: TestedRules {}

/// Runs each test of a suite once for each database.
struct OnEveryDatabase: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for kind in LedgerKind.allCases {
            try await kind.withHouse { house in try await house.asCurrent(function) }
        }
    }
}

extension Trait where Self == OnEveryDatabase {
    static var onEveryDatabase: OnEveryDatabase { OnEveryDatabase() }
}
