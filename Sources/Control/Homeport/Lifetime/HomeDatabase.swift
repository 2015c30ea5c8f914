internal import Automation
internal import DeviceControl
internal import DeviceDomain
internal import History
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

    /// What happened, where it is kept in the same database; `nil` where that is a file of its own.
    /// - Parameter age: how long samples and facts are kept; `nil` for who only reads.
    func samples(keptFor age: Duration?) -> (any SampleStore)?

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

    func samples(keptFor age: Duration?) -> (any SampleStore)? { nil }

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
    /// Whether other homes of the process use the database.
    private let isShared: Bool
    private let home: HomeID
    private let controller: ControllerID

    /// Opens a database for one home.
    init(at url: String, _ configuration: HomeConfiguration) throws {
        let database = try PostgresDatabase.open(PostgresAddress(ofLedger: url))
        let ownership = HomeOwnership(
            database, named: HomeOwnership.nameOfProcess, clock: configuration.clock)
        self.init(database, ownership, isShared: false, configuration)
    }

    /// The database of an instance, for one of its homes.
    init(_ sharing: HomeSharing, _ configuration: HomeConfiguration) {
        self.init(sharing.database, sharing.ownership, isShared: true, configuration)
    }

    private init(
        _ database: PostgresDatabase, _ ownership: HomeOwnership, isShared: Bool,
        _ configuration: HomeConfiguration
    ) {
        (home, controller) = (configuration.home, configuration.controller)
        let commands = PostgresCommandLedger(database, of: controller, in: home, ownedBy: ownership)
        {
            CommandPlaces(of: configuration.channels)
        }
        self.database = database
        self.ownership = ownership
        self.isShared = isShared
        ledger = commands
        moving = commands
        audit = commands
    }

    var devices: any DeviceRepository { PostgresDeviceRepository(database) }
    var labels: any LabelRepository { PostgresLabelRepository(database) }
    var schedules: any ScheduleRepository { PostgresScheduleRepository(database) }
    var rules: any RuleRepository { PostgresRuleRepository(database) }
    var provisioning: any ProvisioningRepository { PostgresProvisioningRepository(database) }
    var commissioning: any CommissioningRepository { PostgresCommissioningRepository(database) }

    func samples(keptFor age: Duration?) -> (any SampleStore)? {
        PostgresSampleStore(database, keptFor: age)
    }

    /// Nothing for one of several homes: the threads that may block are few, and the labels are learned later.
    func readLabels(in home: HomeID) throws(LedgerError) -> HomeLabels {
        isShared ? HomeLabels() : try PostgresLabelRepository(database).readLabels(in: home)
    }

    /// Whoever owns the home has every role in it.
    func take(_ role: String) throws(LedgerError) -> HeldRole? {
        ownership?.owns(home, of: controller) == true ? HeldRole.ofOwner : nil
    }

    func end(withProcess: Bool) async {
        // Where it fails, the home is free when the lease is over.
        guard !isShared else {
            try? await ownership?.release(home, of: controller)
            return
        }
        try? await ownership?.release()
        database.close()
    }
}
