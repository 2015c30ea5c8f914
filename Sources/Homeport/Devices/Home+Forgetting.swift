internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import HomeModel

extension Home {
    /// Removes a device from the ledger and from what is known of the home. Its commands stay in the
    /// ledger. A device that is heard again comes back.
    /// - Throws: ``HomeError`` `ledger`; `unknownDevice` if neither knows it.
    public func forget(_ device: DeviceID) async throws(HomeError) {
        let control = try await openedControl()
        let known = live.device(device)
        do {
            let stored = try await control.devices.device(device, in: id)
            guard let channel = known?.channel ?? stored?.channel else {
                throw HomeError.unknownDevice(device.text, in: id)
            }
            try await control.devices.forget(device, in: id)
            live.apply(
                DeviceObservation(channel: channel, home: id, device: device, content: .removed))
        } catch let error as HomeError {
            throw error
        } catch {
            throw HomeError(.ledger, "\(error)")
        }
    }
}
