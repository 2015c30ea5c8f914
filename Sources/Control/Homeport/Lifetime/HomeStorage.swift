internal import Automation
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import Dispatch
internal import Persistence
internal import Provisioning

/// The ledger of a home and the invoker that works on it.
struct HomeStorage: Sendable {
    /// The commands.
    let ledger: any CommandLedger
    /// Moves what is open for other brokers to the brokers of the home.
    let moving: any MovingCommands
    /// Its log as evidence.
    let audit: any AuditLog
    /// The devices that were seen.
    let devices: any DeviceRepository
    /// What the user calls devices and rooms.
    let labels: any LabelRepository
    /// The same, as it was when the ledger was opened.
    let firstLabels: HomeLabels
    /// The commands that are due at times of day.
    let schedules: any ScheduleRepository
    /// What is done when something happens.
    let rules: any RuleRepository
    /// The attempts to bring boxed devices into the home.
    let provisioning: any ProvisioningRepository
    /// The attempts to bring Matter devices onto servers.
    let commissioning: any CommissioningRepository
    /// Sends and follows commands.
    let invoker: CommandInvoker
    private let database: LedgerDatabase

    /// Begins to open the ledger, on a thread that may block.
    static func open(
        _ configuration: HomeConfiguration, sendingBy factory: CommunicationStrategyFactory,
        _ done: @escaping @Sendable (Result<HomeStorage, HomeError>) -> Void
    ) {
        DispatchQueue.global().async {
            done(
                Result(catching: { () throws(HomeError) in
                    try HomeStorage(configuration, sendingBy: factory)
                }))
        }
    }

    private init(
        _ configuration: HomeConfiguration, sendingBy factory: CommunicationStrategyFactory
    ) throws(HomeError) {
        let clock = configuration.clock
        do {
            let path = try configuration.ledger.path()
            database = try path.map(LedgerDatabase.open(at:)) ?? LedgerDatabase.inMemory()
            let commands = GRDBCommandLedger(database) {
                CommandPlaces(of: configuration.channels)
            } now: {
                clock.now.wall
            }
            try commands.prepare()
            let labels = GRDBLabelRepository(database)
            firstLabels = try labels.readLabels(in: configuration.home)
            self.labels = labels
            ledger = commands
            moving = commands
            audit = commands
        } catch {
            throw HomeError(wrapping: error, as: .failed)
        }
        devices = GRDBDeviceRepository(database)
        schedules = GRDBScheduleRepository(database)
        rules = GRDBRuleRepository(database)
        provisioning = GRDBProvisioningRepository(database)
        commissioning = GRDBCommissioningRepository(database)
        invoker = CommandInvoker(
            controller: configuration.controller, ledger: ledger, factory: factory, clock: clock)
    }

    /// Takes a role that one process of the ledger has at a time; `nil` if somebody has it.
    func take(_ role: String) throws(LedgerError) -> HeldRole? { try database.take(role) }

    /// Releases the commands, so that another process can take them over. No other call may follow.
    func end(withProcess: Bool) {
        if withProcess { database.retire() } else { database.close() }
    }
}
