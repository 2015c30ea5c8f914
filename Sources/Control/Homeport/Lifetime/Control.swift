internal import DeviceControl
internal import DeviceDomain
internal import Dispatch
internal import Persistence
internal import Provisioning

/// The ledger of a home and the invoker that works on it.
struct Control: Sendable {
    /// The commands.
    let ledger: any CommandLedger
    /// Moves what is open for other brokers to the brokers of the home.
    let moving: any MovingCommands
    /// Its log as evidence.
    let audit: any AuditLog
    /// The devices that were seen.
    let devices: any DeviceRepository
    /// The commands that are due at times of day.
    let schedules: any ScheduleRepository
    /// The attempts to bring boxed devices into the home.
    let provisioning: any ProvisioningRepository
    /// Sends and follows commands.
    let invoker: CommandInvoker
    private let database: LedgerDatabase

    /// Begins to open the ledger, on a thread that may block.
    static func open(_ home: Home, _ done: @escaping @Sendable (Result<Control, HomeError>) -> Void)
    {
        DispatchQueue.global().async {
            done(Result(catching: { () throws(HomeError) in try Control(home) }))
        }
    }

    private init(_ home: Home) throws(HomeError) {
        do {
            let path = try home.configuration.ledger.path()
            database = try path.map(LedgerDatabase.open(at:)) ?? LedgerDatabase.inMemory()
            let setups = home.stations.map(\.setup)
            let commands = GRDBCommandLedger(database) {
                CommandPlaces(of: setups)
            } now: {
                MachineClock.wallTime
            }
            try commands.prepare()
            ledger = commands
            moving = commands
            audit = commands
        } catch let error as HomeError {
            throw error
        } catch let error as LedgerError {
            throw HomeError(error)
        } catch {
            throw HomeError(.failed, "\(error)")
        }
        devices = GRDBDeviceRepository(database)
        schedules = GRDBScheduleRepository(database)
        provisioning = GRDBProvisioningRepository(database)
        invoker = CommandInvoker(
            controller: home.controller, ledger: ledger, factory: home.factory)
    }

    /// Takes a role that one process of the ledger has at a time; `nil` if somebody has it.
    func take(_ role: String) throws(LedgerError) -> HeldRole? { try database.take(role) }

    /// Releases the commands, so that another process can take them over. No other call may follow.
    func end(withProcess: Bool) {
        if withProcess { database.retire() } else { database.close() }
    }
}
