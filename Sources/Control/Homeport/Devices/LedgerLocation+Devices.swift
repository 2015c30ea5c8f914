package import Automation
internal import DeviceControl
public import DeviceDomain
internal import Persistence

extension LedgerLocation {
    /// The devices of a home that the ledger remembers, in the order of their ids.
    ///
    /// It needs no connection and no running home, makes no file and changes nothing. It blocks
    /// while it reads.
    /// - Throws: ``HomeError`` `ledger`, `configuration`.
    public func rememberedDevices(of home: HomeID) throws(HomeError) -> [RememberedDevice] {
        try remembered(of: home).devices
    }

    /// The same, with what the user calls devices and rooms.
    package func remembered(
        of home: HomeID
    ) throws(HomeError) -> (devices: [RememberedDevice], labels: HomeLabels) {
        guard let path = try path() else { return ([], HomeLabels()) }
        do throws(LedgerError) {
            guard let database = try LedgerDatabase.openForReading(at: path) else {
                return ([], HomeLabels())
            }
            return (
                try GRDBDeviceRepository(database).readDevices(in: home),
                try GRDBLabelRepository(database).readLabels(in: home)
            )
        } catch {
            throw HomeError(error)
        }
    }

    /// The rules of a controller in a home, read in the same way.
    package func rememberedRules(
        of home: HomeID, controller: ControllerID
    ) throws(HomeError) -> [Rule] {
        guard let path = try path() else { return [] }
        do throws(LedgerError) {
            guard let database = try LedgerDatabase.openForReading(at: path) else { return [] }
            return try GRDBRuleRepository(database).readRules(of: controller, in: home)
        } catch {
            throw HomeError(error)
        }
    }
}
