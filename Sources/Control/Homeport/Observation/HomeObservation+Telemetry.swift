internal import Connectivity
internal import DeviceDomain
package import HomeModel

/// Waiting for samples, and filters that need them.
extension HomeObservation {
    /// The devices that pass a filter, and the survey in which they were found.
    func devices(
        matching filter: DeviceFilter, waiting limit: Duration
    ) async throws(HomeError) -> (devices: [KnownDevice], survey: HomeSurvey) {
        let survey = try await survey(.everyDeviceWithoutTelemetry)
        let undecided = survey.devices.filter { isUndecided($0, by: filter) }
        if !undecided.isEmpty {
            await waitForTelemetry(of: Set(undecided.map(\.id)), within: limit)
        }
        let found = survey.devices.compactMap { live.device($0.id) }
        try filter.requireReportedMembers(among: found)
        return (found.filter(filter.contains), survey)
    }

    /// Whether only a sample of telemetry, which may still come, can decide whether a device passes.
    package func isUndecided(_ device: KnownDevice, by filter: DeviceFilter) -> Bool {
        guard case .online = device.connection else { return false }
        return reportsTelemetry(device) && filter.needsTelemetry(of: device)
    }

    /// Whether a device sends samples of telemetry from time to time.
    func reportsTelemetry(_ device: KnownDevice) -> Bool {
        channel(device.channel)?.channel.reportsTelemetry ?? true
    }

    /// Waits until every one of these devices has sent a sample since the home connected.
    /// - Returns: the devices that have sent none.
    @discardableResult
    func waitForTelemetry(
        of devices: Set<DeviceID>, within limit: Duration
    ) async -> Set<DeviceID> {
        await withTaskGroup { group in
            group.addTask { await self.collectTelemetry(of: devices) }
            group.addTask { await self.clock.sleep(until: self.clock.now.elapsed + limit) }
            await group.next()
            group.cancelAll()
        }
        return devices.filter { live.device($0)?.telemetry == nil }
    }

    private func collectTelemetry(of devices: Set<DeviceID>) async {
        var silent = devices.filter { live.device($0)?.telemetry == nil }
        guard !silent.isEmpty else { return }
        let scope = HomeScope.devices(silent)
        let changes = live.changes(of: scope)
        observe(scope)
        for await change in changes {
            guard case .device(let change) = change else { continue }
            if live.device(change.device)?.telemetry != nil { silent.remove(change.device) }
            if silent.isEmpty { return }
        }
    }
}
