import DeviceControl
import DeviceDomain
import DeviceMessages
import MosquittoAdapter
import Persistence

/// The ledger and the devices that it knows, with errors in the words of the command line.
struct Ledger: Sendable {
    /// The commands.
    let commands: GRDBCommandLedger
    /// The devices that were seen.
    let devices: GRDBDeviceRepository
    private let database: LedgerDatabase

    /// Opens the ledger, and makes it where there is none.
    /// - Throws: ``Failure`` with ``VerbStatus/internalError``, saying why and what to do.
    static func open(at location: LedgerLocation) throws(Failure) -> Ledger {
        do {
            let database = try LedgerDatabase.open(at: location.path)
            return Ledger(
                commands: GRDBCommandLedger(database, now: Timestamp.wallClock),
                devices: GRDBDeviceRepository(database), database: database)
        } catch {
            throw Failure(error)
        }
    }

    /// Opens the ledger for a process that will write to it.
    static func prepare(at location: LedgerLocation) throws(Failure) -> Ledger {
        let ledger = try open(at: location)
        do {
            try ledger.commands.prepare()
        } catch {
            throw Failure(error)
        }
        return ledger
    }

    /// A command, if the ledger has it.
    func record(of id: CommandID) async throws(Failure) -> CommandRecord? {
        do {
            return try await commands.record(of: id)
        } catch {
            throw Failure(error)
        }
    }

    /// Commands, newest first.
    func history(_ query: HistoryQuery) async throws(Failure) -> [CommandRecord] {
        do {
            return try await commands.history(query)
        } catch {
            throw Failure(error)
        }
    }

    /// The profile of a device, if it was ever seen.
    func profile(of device: DeviceID, in home: HomeID) async throws(Failure) -> DeviceProfile? {
        do {
            return try await devices.profile(of: device, in: home)
        } catch {
            throw Failure(.internalError, "\(error)")
        }
    }

    /// Remembers what a device is.
    func remember(_ profile: DeviceProfile) async throws(Failure) {
        do {
            try await devices.remember(profile)
        } catch {
            throw Failure(.internalError, "\(error)")
        }
    }

    /// The last call before the end of the process.
    func retire() { database.retire() }
}

extension Failure {
    /// The ledger cannot do what it must.
    init(_ error: LedgerError) { self.init(.internalError, "\(error)") }
}
