internal import Connectivity
public import DeviceControl
public import DeviceDomain
public import DeviceMessages
public import HomeModel

extension Home {
    /// The devices that pass a filter, in the order of their ids. Telemetry is heard only where a
    /// condition cannot be decided without it.
    /// - Parameter patience: how long samples of telemetry are waited for.
    /// - Throws: ``HomeError`` `noConnection`; `unknownMember` where a condition is on a member that no
    ///   device of the kind reports.
    public func devices(
        matching filter: DeviceFilter, waiting patience: Duration = .seconds(10)
    ) async throws(HomeError) -> [KnownDevice] {
        let survey = try await survey(.everyDeviceWithoutTelemetry)
        let undecided = survey.devices.filter { isUndecided($0, by: filter) }
        if !undecided.isEmpty {
            await waitForTelemetry(of: Set(undecided.map(\.id)), within: patience)
        }
        let found = survey.devices.compactMap { live.device($0.id) }
        try filter.requireReportedMembers(among: found)
        return found.filter(filter.contains)
    }

    /// Whether only a sample of telemetry, which may still come, can decide whether a device passes.
    package func isUndecided(_ device: KnownDevice, by filter: DeviceFilter) -> Bool {
        guard case .online = device.connection else { return false }
        return reportsTelemetry(device) && filter.needsTelemetry(of: device)
    }

    /// Sends a command to every device that passes a filter: all or none enter the ledger, in one
    /// batch. From then on each goes its own way, and a later process of the ledger goes on with what
    /// this one leaves open.
    ///
    /// A selected device that has no such command is left out: see ``CommandGroup/withoutCommand``.
    /// - Returns: an empty group where devices of the kind are there, and none meets the conditions.
    /// - Throws: ``HomeError`` `unknownDevice` where there is no device of the kind; `unknownMember` where a
    ///   condition is on a member that none of them reports; `refusedCommand` where no selected device has
    ///   the command, or its arguments do not fit one of them; else as
    ///   ``send(_:_:to:options:)``. Nothing was recorded or sent then.
    public func send(
        _ name: CommandName, _ arguments: JSONObject = [:], to selection: DeviceFilter,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandGroup {
        try await send(name, .values(arguments), to: selection, options)
    }

    /// The same, with arguments as somebody typed them.
    public func send(
        _ name: CommandName, typed arguments: TypedArguments, to selection: DeviceFilter,
        options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandGroup {
        try await send(name, .typed(arguments), to: selection, options)
    }

    private func send(
        _ name: CommandName, _ arguments: GivenArguments, to selection: DeviceFilter,
        _ options: CommandOptions
    ) async throws(HomeError) -> CommandGroup {
        let selected = try await devices(matching: selection)
        let ofKind = DeviceFilter(kind: selection.kind)
        guard live.model.allDevices.contains(where: ofKind.contains) else {
            try await requireKnownKind(selection.kind)
            throw HomeError(.unknownDevice, "there are no \(ofKind) in \(id)")
        }
        var generator = SystemRandomNumberGenerator()
        let group = CommandID(at: MachineClock.wallTime, using: &generator)
        var options = options
        options.cause = CommandGroup.cause(of: group)
        let receivers = selected.filter { $0.profile?.specification(of: name) != nil }
        guard !receivers.isEmpty || selected.isEmpty else {
            throw HomeError(
                .refusedCommand,
                "none of the \(selected.count) selected devices has a command "
                    + "\"\(name.rawValue)\"; 'show' lists what a device accepts")
        }
        var orders: [CommandOrder] = []
        for device in receivers {
            orders.append(try order(name, arguments, for: device, options))
        }
        return CommandGroup(
            id: group, receipts: try await submit(orders),
            withoutCommand: selected.map(\.id).filter { id in !receivers.contains { $0.id == id } })
    }

    /// Sends the commands of a group again that have ended without being carried out: refused,
    /// rejected, failed or expired. They belong to the same group. One whose outcome is unknown may
    /// have been carried out: it is not sent again, and its own receipt is among those of the result.
    /// - Parameter group: the id of the group, also of an earlier run.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger has no such group; else as
    ///   ``send(_:_:to:options:)``.
    public func retry(
        _ group: CommandID, options: CommandOptions = CommandOptions()
    ) async throws(HomeError) -> CommandGroup {
        var options = options
        options.cause = CommandGroup.cause(of: group)
        let latest = try await latest(of: group)
        var orders: [CommandOrder] = []
        for record in latest where record.state.wasNotCarriedOut {
            let known = try await receiver(record.intent.device)
            options.isDryRun = record.intent.isDryRun
            orders.append(
                try order(
                    record.intent.name, .values(record.intent.arguments), for: known, options))
        }
        let invoker = try await openedControl().invoker
        let unknown = latest.filter { $0.state == .unknown }.map {
            CommandReceipt($0, invoker: invoker, obstacle: nil)
        }
        return CommandGroup(
            id: group, receipts: try await submit(orders) + unknown, withoutCommand: [])
    }

    /// Whether the ledger has a group of this id.
    /// - Throws: ``HomeError`` `ledger`.
    public func hasGroup(_ id: CommandID) async throws(HomeError) -> Bool {
        do throws(HomeError) {
            return try await !latest(of: id).isEmpty
        } catch {
            guard error.code == .unknownCommand else { throw error }
            return false
        }
    }

    /// The newest command of a group to each of its devices, in the order of the devices' ids.
    func latest(of group: CommandID) async throws(HomeError) -> [CommandRecord] {
        let control = try await openedControl()
        let query = HistoryQuery(
            controller: controller, home: id, cause: CommandGroup.cause(of: group), limit: .max)
        let records: [CommandRecord]
        do {
            records = try await control.ledger.history(query)
        } catch {
            throw HomeError(error)
        }
        guard !records.isEmpty else {
            throw HomeError(
                .unknownCommand, "the ledger has no group \(group) of \(controller) in \(id)")
        }
        let newest = Dictionary(records.map { ($0.intent.device, $0) }) { newer, _ in newer }
        return newest.values.sorted { $0.intent.device < $1.intent.device }
    }

    private func submit(_ orders: [CommandOrder]) async throws(HomeError) -> [CommandReceipt] {
        guard !orders.isEmpty else { return [] }
        let control = try await openedControl()
        try await takeOverSettings(before: orders)
        do {
            return try await control.invoker.submit(orders).map { record in
                CommandReceipt(record, invoker: control.invoker, obstacle: obstacle(to: record))
            }
        } catch {
            throw HomeError(error)
        }
    }
}

extension CommandState {
    /// Whether the command has ended, and certainly without an effect of its own that lasts.
    fileprivate var wasNotCarriedOut: Bool {
        switch self {
        case .refused, .rejected, .failed, .expired: true
        case .created, .queued, .sending, .sent, .accepted, .running, .succeeded, .cancelled,
            .superseded, .unknown:
            false
        }
    }
}
