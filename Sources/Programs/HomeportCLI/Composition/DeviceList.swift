import Homeport
import TerminalOutput

/// How `devices` and `history` find the devices that pass a filter.
struct DeviceList: Sendable {
    /// Which samples of telemetry are waited for.
    enum Telemetry: Hashable, Sendable {
        /// None.
        case notNeeded
        /// None is waited for, but they are followed afterwards.
        case followed
        /// Those without which the filter cannot be applied.
        case whereNeeded
        /// Those, and those without which a charge in the table would be missing.
        case whereShown
        /// One of every device that sends any.
        case ofEveryDevice
    }

    let home: Home
    let console: Console
    let filter: DeviceFilter
    /// How the devices are printed.
    var style = ListStyle(.table)
    /// How long samples are waited for.
    var limit = Duration.seconds(10)

    /// Looks what is there, and waits for samples.
    /// - Parameter selection: the only devices that count; `nil` for all.
    /// - Returns: what was found, and the devices that pass the filter.
    /// - Throws: ``HomeError`` `noConnection`; `unknownDevice` for a kind that no known device has;
    ///   `unknownMember` for a condition on a member that none of them reports.
    func surveyed(
        telemetry: Telemetry, selection: Set<DeviceID>? = nil
    ) async throws(HomeError) -> (survey: HomeSurvey, devices: [KnownDevice]) {
        try await home.naming.requireRoom(filter.room)
        let survey = try await surveyed(scope(telemetry))
        if survey.failures.isEmpty { try await requireKnownKind(mayWait: telemetry == .followed) }
        let selected = survey.devices.filter { selection?.contains($0.id) != false }
        let awaited = selected.filter { isAwaited($0, telemetry) }
        if !awaited.isEmpty { await wait(for: awaited, telemetry) }
        try await requireReportedMembers(of: selected, mayWait: telemetry == .followed)
        return (survey, latest(selected).filter(filter.contains))
    }

    /// Checks that a device has the kind, or had it.
    /// - Parameter mayWait: whether one is waited for; then it is only said that there is none yet.
    func requireKnownKind(mayWait: Bool) async throws(HomeError) {
        do {
            try await home.observation.requireKnownKind(filter.kind)
        } catch {
            guard mayWait, error.code == .unknownDevice else { throw error }
            console.note("\(error.message); waiting for one")
        }
    }

    /// Checks the members of the conditions.
    /// - Parameter mayWait: whether samples that decide it are waited for.
    func requireReportedMembers(
        of devices: [KnownDevice], mayWait: Bool
    ) async throws(HomeError) {
        do {
            try filter.requireReportedMembers(among: latest(devices))
        } catch {
            let undecided = devices.filter { home.observation.isUndecided($0, by: filter) }
            guard mayWait, !undecided.isEmpty else { throw error }
            await wait(for: undecided, .followed)
            try filter.requireReportedMembers(among: latest(devices))
        }
    }

    private func latest(_ devices: [KnownDevice]) -> [KnownDevice] {
        devices.compactMap { home.latest($0.id) }
    }

    private func surveyed(_ scope: HomeScope) async throws(HomeError) -> HomeSurvey {
        async let _ = showProgress()
        return try await home.survey(scope)
    }

    /// Samples that nobody waits for are left at the broker: a large home sends a thousand a second.
    private func scope(_ telemetry: Telemetry) -> HomeScope {
        switch telemetry {
        case .notNeeded: .everyDeviceWithoutTelemetry
        case .whereNeeded:
            filter.conditions.isEmpty ? .everyDeviceWithoutTelemetry : .everyDevice
        case .followed, .whereShown, .ofEveryDevice: .everyDevice
        }
    }

    /// Shows how many devices were found, until it is cancelled. A small home is listed before it begins.
    private func showProgress() async {
        do {
            while true {
                try await Task.sleep(for: .milliseconds(400))
                console.showProgressLine("\(home.model.devices.count) devices found so far …")
            }
        } catch {
            console.showProgressLine(nil)
        }
    }

    private func isAwaited(_ device: KnownDevice, _ telemetry: Telemetry) -> Bool {
        guard device.telemetry == nil, case .online = device.connection,
            home.reportsTelemetry(device)
        else { return false }
        return switch telemetry {
        case .notNeeded, .followed: false
        case .whereNeeded: filter.needsTelemetry(of: device)
        case .whereShown:
            filter.needsTelemetry(of: device) || (filter.contains(device) && device.owesCharge)
        case .ofEveryDevice: filter.kind == nil || filter.kind == device.profile?.kind
        }
    }

    private func wait(for devices: [KnownDevice], _ telemetry: Telemetry) async {
        let names = devices.map(\.id.text).listed
        console.progress("waiting for a sample of \(names), \(limit.text) at most")
        if telemetry == .whereShown, console.movesCursor {
            await drawWhileWaiting(for: Set(devices.map(\.id)))
        } else {
            await home.waitForTelemetry(of: Set(devices.map(\.id)), within: limit)
        }
        let silent = devices.filter { home.latest($0.id)?.telemetry == nil }
        if !silent.isEmpty {
            console.note(
                "\(silent.map(\.id.text).listed) sent no sample within \(limit.text)")
        }
    }

    /// The table is shown at once, and again with each sample.
    private func drawWhileWaiting(for devices: Set<DeviceID>) async {
        let live = LiveDevices(
            home: home, console: console, style: style, filter: filter, isErasedAtEnd: true)
        await withTaskGroup { group in
            group.addTask { _ = await live.show() }
            await home.waitForTelemetry(of: devices, within: limit)
            group.cancelAll()
        }
    }
}

extension [DeviceID] {
    /// What to say of devices that the ledger knows and nobody hears; `nil` where there are none.
    var unheardRemark: String? {
        guard !isEmpty else { return nil }
        return
            "nothing is heard of \(map(\.text).listed), which the ledger knows: switched off with a "
            + "broker that keeps nothing of it, or gone ('homeport forget DEVICE')"
    }
}

extension [String] {
    /// The first names, and how many follow.
    var listed: String {
        guard count > 3 else { return joined(separator: ", ") }
        return "\(prefix(3).joined(separator: ", ")) and \(count - 3) more"
    }
}
