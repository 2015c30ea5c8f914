internal import Automation
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import Dispatch
internal import Persistence
internal import PostgresPersistence
internal import Provisioning

/// The ledger of a home and the invoker that works on it.
struct HomeStorage: Sendable {
    /// What is kept, in whatever database.
    let database: any HomeDatabase
    /// What the user calls devices and rooms, as it was when the ledger was opened.
    let firstLabels: HomeLabels
    /// Sends and follows commands.
    let invoker: CommandInvoker

    /// The commands.
    var ledger: any CommandLedger { database.ledger }
    /// Moves what is open for other brokers to the brokers of the home.
    var moving: any MovingCommands { database.moving }
    /// Its log as evidence.
    var audit: any AuditLog { database.audit }
    /// The devices that were seen.
    var devices: any DeviceRepository { database.devices }
    /// What the user calls devices and rooms.
    var labels: any LabelRepository { database.labels }
    /// The commands that are due at times of day.
    var schedules: any ScheduleRepository { database.schedules }
    /// What is done when something happens.
    var rules: any RuleRepository { database.rules }
    /// The attempts to bring boxed devices into the home.
    var provisioning: any ProvisioningRepository { database.provisioning }
    /// The attempts to bring Matter devices onto servers.
    var commissioning: any CommissioningRepository { database.commissioning }

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
        let url = try configuration.ledger.url()
        do {
            database =
                if let sharing = configuration.sharing {
                    ServerDatabase(sharing, configuration)
                } else if let url {
                    try ServerDatabase(at: url, configuration)
                } else {
                    try FileDatabase(configuration)
                }
            firstLabels = try database.readLabels(in: configuration.home)
        } catch {
            throw HomeError(wrapping: error, as: .failed)
        }
        let clock = configuration.clock
        invoker = CommandInvoker(
            controller: configuration.controller, ledger: database.ledger, factory: factory,
            clock: database.ownership.map { DatabaseClock(of: $0, on: clock) } ?? clock)
    }

    /// Takes a role that one process of the ledger has at a time; `nil` if somebody has it.
    func take(_ role: String) throws(LedgerError) -> HeldRole? { try database.take(role) }

    /// Releases the commands, so that another process can take them over. No other call may follow.
    func end(withProcess: Bool) async { await database.end(withProcess: withProcess) }
}
