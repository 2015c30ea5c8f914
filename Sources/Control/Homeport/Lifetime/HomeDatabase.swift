internal import Automation
internal import DeviceControl
internal import DeviceDomain
internal import Persistence
internal import PostgresPersistence
internal import Provisioning

/// What is kept of a home, in one database.
protocol HomeDatabase: Sendable {
    var ledger: any CommandLedger { get }
    var moving: any MovingCommands { get }
    var audit: any AuditLog { get }
    var devices: any DeviceRepository { get }
    var labels: any LabelRepository { get }
    var schedules: any ScheduleRepository { get }
    var rules: any RuleRepository { get }
    var provisioning: any ProvisioningRepository { get }
    var commissioning: any CommissioningRepository { get }
    /// The ownership of the home; `nil` where each process owns what it has accepted.
    var ownership: HomeOwnership? { get }

    /// What the user calls devices and rooms, on the caller's thread, which it blocks.
    func readLabels(in home: HomeID) throws(LedgerError) -> HomeLabels

    /// Takes a role that one process has at a time; `nil` if somebody has it.
    func take(_ role: String) throws(LedgerError) -> HeldRole?

    /// Releases what this process owns. No other call may follow.
    func end(withProcess: Bool) async
}

/// A file of SQLite, or memory.
struct FileDatabase: HomeDatabase {
    let ledger: any CommandLedger
    let moving: any MovingCommands
    let audit: any AuditLog
    private let database: LedgerDatabase

    init(_ configuration: HomeConfiguration) throws {
        let clock = configuration.clock
        let path = try configuration.ledger.path()
        database = try path.map(LedgerDatabase.open(at:)) ?? LedgerDatabase.inMemory()
        let commands = GRDBCommandLedger(database) {
            CommandPlaces(of: configuration.channels)
        } now: {
            clock.now.wall
        }
        try commands.prepare()
        ledger = commands
        moving = commands
        audit = commands
    }

    var devices: any DeviceRepository { GRDBDeviceRepository(database) }
    var labels: any LabelRepository { GRDBLabelRepository(database) }
    var schedules: any ScheduleRepository { GRDBScheduleRepository(database) }
    var rules: any RuleRepository { GRDBRuleRepository(database) }
    var provisioning: any ProvisioningRepository { GRDBProvisioningRepository(database) }
    var commissioning: any CommissioningRepository { GRDBCommissioningRepository(database) }
    var ownership: HomeOwnership? { nil }

    func readLabels(in home: HomeID) throws(LedgerError) -> HomeLabels {
        try GRDBLabelRepository(database).readLabels(in: home)
    }

    func take(_ role: String) throws(LedgerError) -> HeldRole? { try database.take(role) }

    func end(withProcess: Bool) async {
        if withProcess { database.retire() } else { database.close() }
    }
}

/// A database of PostgreSQL, which many processes on many machines have.
struct ServerDatabase: HomeDatabase {
    let ledger: any CommandLedger
    let moving: any MovingCommands
    let audit: any AuditLog
    let ownership: HomeOwnership?
    private let database: PostgresDatabase
    private let home: HomeID
    private let controller: ControllerID

    init(at url: String, _ configuration: HomeConfiguration) throws {
        (home, controller) = (configuration.home, configuration.controller)
        database = try PostgresDatabase.open(Self.address(url))
        let ownership = HomeOwnership(
            database, named: HomeOwnership.nameOfProcess, clock: configuration.clock)
        let commands = PostgresCommandLedger(database, of: controller, in: home, ownedBy: ownership)
        {
            CommandPlaces(of: configuration.channels)
        }
        self.ownership = ownership
        ledger = commands
        moving = commands
        audit = commands
    }

    /// - Throws: ``HomeError`` `configuration` for a URL that cannot be used, `ledgerUnreachable` without libpq.
    private static func address(_ url: String) throws(HomeError) -> PostgresAddress {
        do throws(LedgerError) {
            return try PostgresAddress(url)
        } catch {
            throw error.code == .unreachable
                ? HomeError(error) : HomeError(.configuration, error.message)
        }
    }

    var devices: any DeviceRepository { PostgresDeviceRepository(database) }
    var labels: any LabelRepository { PostgresLabelRepository(database) }
    var schedules: any ScheduleRepository { PostgresScheduleRepository(database) }
    var rules: any RuleRepository { PostgresRuleRepository(database) }
    var provisioning: any ProvisioningRepository { PostgresProvisioningRepository(database) }
    var commissioning: any CommissioningRepository { PostgresCommissioningRepository(database) }

    func readLabels(in home: HomeID) throws(LedgerError) -> HomeLabels {
        try PostgresLabelRepository(database).readLabels(in: home)
    }

    /// Whoever owns the home has every role in it.
    func take(_ role: String) throws(LedgerError) -> HeldRole? {
        ownership?.owns(home, of: controller) == true ? HeldRole.ofOwner : nil
    }

    func end(withProcess: Bool) async {
        // Where it fails, the home is free when the lease is over.
        try? await ownership?.release()
        database.close()
    }
}
