internal import Connectivity
public import DeviceDomain
public import HomeModel

extension Home {
    /// What is known of a device at this moment, without asking anybody; `nil` if nothing is.
    public func latest(_ device: DeviceID) -> KnownDevice? { live.device(device) }

    /// Whether a device sends samples of telemetry from time to time: not over a channel that reports
    /// states only.
    public func reportsTelemetry(_ device: KnownDevice) -> Bool {
        stations.first { $0.channel.id == device.channel }?.channel.reportsTelemetry ?? true
    }

    /// Waits until every one of these devices has sent a sample of telemetry since the home connected.
    /// - Parameters:
    ///   - devices: the devices whose samples it waits for.
    ///   - limit: how long it waits at most.
    /// - Returns: the devices that have sent none.
    @discardableResult
    public func waitForTelemetry(
        of devices: Set<DeviceID>, within limit: Duration
    ) async -> Set<DeviceID> {
        await withTaskGroup { group in
            group.addTask { await self.hearTelemetry(of: devices) }
            group.addTask {
                do {
                    try await ContinuousClock().sleep(for: limit)
                } catch {
                    // The samples have come, or the caller was cancelled.
                }
            }
            await group.next()
            group.cancelAll()
        }
        return devices.filter { live.device($0)?.telemetry == nil }
    }

    private func hearTelemetry(of devices: Set<DeviceID>) async {
        var silent = devices.filter { live.device($0)?.telemetry == nil }
        guard !silent.isEmpty else { return }
        for await change in changes(of: .devices(silent)) {
            guard case .device(let change) = change else { continue }
            if live.device(change.device)?.telemetry != nil { silent.remove(change.device) }
            if silent.isEmpty { return }
        }
    }
}
