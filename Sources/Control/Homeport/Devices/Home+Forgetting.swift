internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import HomeModel

/// A device that was forgotten.
public struct ForgottenDevice: Hashable, Sendable {
    /// Which it was.
    public let id: DeviceID
    /// Why it comes back all the same: what its channel keeps of it could not be cleared. `nil` where it
    /// comes back only when it speaks again itself.
    public let comesBack: String?
}

extension Home {
    /// Removes a device from the ledger, from what is known of the home, and from what its broker keeps: the
    /// retained messages of the device and its desired settings. Its commands stay in the ledger.
    ///
    /// A device that is online is refused: its next message would bring it back, without the description that
    /// it publishes once. Without a connection, or without the right to clear what the broker keeps, it is
    /// forgotten here, and ``ForgottenDevice/comesBack`` says why it will be there again.
    /// - Parameter evenIfOnline: whether one that counts as online is forgotten all the same: a device whose
    ///   certificate was revoked stays so, because mosquitto sends no will when it ends the connection.
    /// - Throws: ``HomeError`` `deviceOnline`; `unknownDevice` if neither ledger nor home knows it; `ledger`,
    ///   `notRunning`.
    @discardableResult
    public func forget(
        _ device: DeviceID, evenIfOnline: Bool = false
    ) async throws(HomeError) -> ForgottenDevice {
        let control = try await openedControl()
        await listen(to: device)
        let known = live.device(device)
        do {
            let stored = try await control.devices.device(device, in: id)
            guard let channel = known?.channel ?? stored?.channel else {
                throw HomeError.unknownDevice(device.text, in: id)
            }
            if case .online? = known?.connection, !evenIfOnline { throw HomeError.online(device) }
            let reason = await clear(device, over: channel)
            try await control.devices.forget(device, in: id)
            live.apply(
                DeviceObservation(channel: channel, home: id, device: device, content: .removed))
            return ForgottenDevice(id: device, comesBack: reason)
        } catch let error as HomeError {
            throw error
        } catch {
            throw HomeError(.ledger, "\(error)")
        }
    }

    /// Hears whether a device is online. Without a connection that stays unknown.
    private func listen(to device: DeviceID) async {
        _ = try? await survey(.device(device))
    }

    /// Clears what a channel keeps of a device.
    /// - Returns: why some of it stays; `nil` also for a channel that the home does not use any more.
    private func clear(_ device: DeviceID, over channel: ChannelID) async -> String? {
        guard let station = stations.first(where: { $0.channel.id == channel }) else { return nil }
        do throws(CommunicationError) {
            try await station.channel.clear(device, in: id)
            return nil
        } catch {
            return "\(error)"
        }
    }
}

extension HomeError {
    fileprivate static func online(_ device: DeviceID) -> HomeError {
        HomeError(
            .deviceOnline,
            "\(device) is online, and its next message would bring it back; switch it off, then forget it"
        )
    }
}
