internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages
internal import HomeModel

/// One command for many devices.
package struct GroupSending: Sendable {
    let commands: CommandSending

    private var observation: HomeObservation { commands.observation }

    /// Sends a command to every device that passes a filter.
    func send(
        _ name: CommandName, _ arguments: GivenArguments, to selection: DeviceFilter,
        _ options: CommandOptions
    ) async throws(HomeError) -> CommandGroup {
        try await observation.labels.requireRoom(selection.room)
        let (selected, doubt) = try await devices(matching: selection)
        var ofKind = selection
        ofKind.conditions = []
        guard observation.live.model.allDevices.contains(where: ofKind.contains) else {
            try await observation.requireKnownKind(selection.kind)
            let doubt = doubt.map { " (\($0))" } ?? ""
            throw HomeError(
                .unknownDevice, "there are no \(ofKind) in \(observation.place)\(doubt)")
        }
        return try await send(name, arguments, toThoseOf: selected, options)
    }

    /// The devices that pass a filter, and why others may, too. What they report is known of those that are heard.
    private func devices(
        matching selection: DeviceFilter
    ) async throws(HomeError) -> ([KnownDevice], doubt: String?) {
        if selection.conditions.isEmpty, try await commands.isOwnedElsewhere() {
            return (try await commands.receivers().filter(selection.contains), nil)
        }
        let (selected, survey) = try await observation.devices(
            matching: selection, waiting: .seconds(10))
        return (selected, survey.doubt)
    }

    /// Sends a command to devices that somebody has listed: to each that was named, which must take it, and to those
    /// of each pattern that have it.
    func send(
        _ name: CommandName, _ arguments: GivenArguments, toDevicesListedAs text: String,
        _ options: CommandOptions
    ) async throws(HomeError) -> CommandGroup {
        let listed = try await ListedDevices(commands: commands).devices(listedAs: text)
        return try await send(
            name, arguments, to: listed.named, toThoseOf: listed.matching, options)
    }

    /// - Parameters:
    ///   - named: must take the command.
    ///   - selected: those of them that do not have it are left out.
    private func send(
        _ name: CommandName, _ arguments: GivenArguments, to named: [KnownDevice] = [],
        toThoseOf selected: [KnownDevice], _ options: CommandOptions
    ) async throws(HomeError) -> CommandGroup {
        let group = CommandID(at: observation.clock.now.wall)
        var options = options
        options.cause = CommandGroup.cause(of: group)
        let having = selected.filter { $0.profile?.specification(of: name) != nil }
        let receivers = (named + having).sorted { $0.id < $1.id }
        guard !receivers.isEmpty || selected.isEmpty else {
            throw HomeError(
                .refusedCommand,
                "none of the \(selected.count) selected devices has a command "
                    + "\"\(name.rawValue)\"; 'show' lists what a device accepts")
        }
        var orders: [CommandOrder] = []
        for device in receivers {
            orders.append(try commands.order(name, arguments, for: device, options))
        }
        return CommandGroup(
            id: group, receipts: try await commands.submit(orders),
            withoutCommand: selected.map(\.id).filter { id in !receivers.contains { $0.id == id } })
    }

    /// Sends the commands of a group again that have ended without being carried out.
    func retry(
        _ group: CommandID, _ options: CommandOptions
    ) async throws(HomeError) -> CommandGroup {
        var options = options
        options.cause = CommandGroup.cause(of: group)
        let latest = try await latest(of: group)
        var orders: [CommandOrder] = []
        for record in latest where record.state.wasNotCarriedOut {
            let known = try await commands.receiver(record.intent.device)
            options.isDryRun = record.intent.isDryRun
            orders.append(
                try commands.order(
                    record.intent.name, .values(record.intent.arguments), for: known, options))
        }
        let invoker = try await commands.lifetime.storage().invoker
        let unknown = latest.filter { $0.state == .unknown }.map {
            CommandReceipt($0, invoker: invoker, obstacle: nil)
        }
        return CommandGroup(
            id: group, receipts: try await commands.submit(orders) + unknown, withoutCommand: [])
    }

    /// Undoes the commands of a group, the last one first.
    func undo(_ group: CommandID) async throws(HomeError) -> [GroupStep] {
        var steps: [GroupStep] = []
        // Those that were sent again are the later ones.
        let newestFirst = try await latest(of: group).sorted {
            ($0.intent.issuedAt, $0.intent.device) > ($1.intent.issuedAt, $1.intent.device)
        }
        for record in newestFirst {
            let device = record.intent.device
            let result: Result<CommandReceipt, HomeError>
            do {
                result = .success(
                    try await commands.compensate(device) { history throws(UndoRefusal) in
                        try history.undo(record.id)
                    })
            } catch {
                result = .failure(error)
            }
            steps.append(GroupStep(device: device, command: record.id, result: result))
        }
        return steps
    }

    /// The id of the group that somebody means: its own, or a reference to one of its commands.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger has no such command or it is of no group;
    ///   `ledger`.
    package func id(_ reference: CommandReference) async throws(HomeError) -> CommandID {
        let id = try await commands.id(reference)
        guard let record = try await commands.record(of: id) else { return id }
        guard let group = CommandGroup.id(ofCause: record.intent.cause) else {
            throw HomeError(
                .unknownCommand,
                "the command \(id) (\(record.intent.device) \(record.intent.name.rawValue)) was not sent to "
                    + "many devices; give the id of a group")
        }
        return group
    }

    /// Whether the ledger has a group of this id.
    func contains(_ group: CommandID) async throws(HomeError) -> Bool {
        try await !commands(of: group, limit: 1).isEmpty
    }

    /// The newest command of a group to each of its devices, in the order of the devices' ids.
    private func latest(of group: CommandID) async throws(HomeError) -> [CommandRecord] {
        let records = try await commands(of: group, limit: .max)
        guard !records.isEmpty else {
            throw HomeError(
                .unknownCommand,
                "the ledger has no group \(group) of \(commands.controller) in \(observation.home)")
        }
        let newest = Dictionary(records.map { ($0.intent.device, $0) }) { newer, _ in newer }
        return newest.values.sorted { $0.intent.device < $1.intent.device }
    }

    private func commands(
        of group: CommandID, limit: Int
    ) async throws(HomeError) -> [CommandRecord] {
        try await commands.history(
            HistoryQuery(
                controller: commands.controller, home: observation.home,
                cause: CommandGroup.cause(of: group), limit: limit))
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
