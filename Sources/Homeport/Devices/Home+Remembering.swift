internal import Connectivity
internal import DeviceControl
public import DeviceDomain
public import HomeModel
internal import Persistence

extension Home {
    /// Adds the devices of earlier runs, from the ledger, to what is known of the home. It needs no
    /// connection.
    /// - Returns: those devices as they are known now, in the order of their ids.
    /// - Throws: ``HomeError`` `ledger`.
    public func recallDevices() async throws(HomeError) -> [KnownDevice] {
        let control = try await openedControl()
        do {
            let remembered = try await control.devices.devices(in: id)
            live.remember(remembered)
            return remembered.compactMap { live.device($0.profile.id) }
        } catch {
            throw HomeError(.ledger, "\(error)")
        }
    }

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
                Observation(channel: channel, home: id, device: device, content: .removed))
        } catch let error as HomeError {
            throw error
        } catch {
            throw HomeError(.ledger, "\(error)")
        }
    }
}
