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
        guard let path = try path() else { return [] }
        do throws(LedgerError) {
            guard let database = try LedgerDatabase.openForReading(at: path) else { return [] }
            return try GRDBDeviceRepository(database).readDevices(in: home)
        } catch {
            throw HomeError(error)
        }
    }
}
