import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport history`.
struct HistoryVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Lists the commands of the ledger with their states, newest first.",
        discussion: """
            Examples: homeport history --device sweeper-1 --limit 5
                      homeport history --state failed,rejected,expired --since 24h

            It reads the ledger alone and needs no broker, except with --where, which asks for the \
            commands of the devices that meet a condition now.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Option(
        help: ArgumentHelp("The commands of this device only.", valueName: "device"),
        completion: .devices)
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The commands in these states only, as 'history' names them, with commas between them.",
            valueName: "states"),
        completion: .list(CommandState.allCases.map(\.rawValue)), transform: Parsing.commandStates)
    var state: Set<CommandState>?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The commands made since then only: 30m, 24h, 08:30, 2026-12-24 or 2026-12-24T08:30.",
            discussion: "Local time, unless Z or an offset such as +02:00 follows.",
            valueName: "time"),
        transform: Parsing.moment)
    var since: Timestamp?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "At most so many commands.", discussion: "Default: \(Self.usualLimit).", valueName: "n"),
        transform: Parsing.count)
    var limit: Int?
    private static let usualLimit = 50

    @OptionGroup var filtering: FilterOptions
    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker, for --where") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: HistoryRenderer.columns)
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let device = try await id(of: device, in: home)
            guard let found = try await records(of: home, device, console) else { return .done }
            let records = Array(found.prefix(shown))
            let renderer = HistoryRenderer(
                style: style, layout: console.layout, labels: try await home.naming.labels())
            console.write(
                renderer.listing(of: records), style,
                ifEmpty: noCommands(to: device, in: home.id))
            if limit == nil, found.count > shown {
                console.note("these are the newest \(shown) commands; --limit shows more")
            }
            return .done
        }
    }

    /// How many are shown at most.
    private var shown: Int { limit ?? Self.usualLimit }

    /// The device that is meant, by the ledger alone.
    private func id(of device: String?, in home: Home) async throws(HomeError) -> DeviceID? {
        guard let device else { return nil }
        if let known = try await home.rememberedID(ofDeviceCalled: device) { return known }
        guard let id = DeviceID(rawValue: device) else {
            throw HomeError(.unknownDevice, "no device \"\(device)\" is known in \(home.id)")
        }
        return id
    }

    /// The commands, one more than are shown where there are more; `nil` where no device passes the filter,
    /// which is said.
    private func records(
        of home: Home, _ device: DeviceID?, _ console: Console
    ) async throws(HomeError) -> [CommandRecord]? {
        let limit = shown < .max ? shown + 1 : shown
        if filtering.filter.isEmpty {
            return try await home.history(
                device: device, states: state, since: since, limit: limit)
        }
        let devices = try await devices(of: home, device, console)
        guard !devices.isEmpty else {
            console.note(filtering.noMatch(in: home))
            return nil
        }
        return try await home.history(
            devices: devices, states: state, since: since, limit: limit)
    }

    /// What to say where there are none.
    private func noCommands(to device: DeviceID?, in home: HomeID) -> String {
        let stands =
            state.map { " that are \($0.map(\.rawValue).sorted().joined(separator: " or "))" } ?? ""
        let made = since.map { " since \(LocalTime.dateAndTime($0))" } ?? ""
        if let device {
            return "the ledger has no commands to \(device) in \(home)\(stands)\(made)"
        }
        guard filtering.filter.isEmpty, state == nil, since == nil else {
            let receivers = filtering.filter.isEmpty ? "" : " to \(filtering.filter)"
            return "the ledger has no commands\(receivers) in \(home)\(stands)\(made)"
        }
        return "no commands of \(home) are in the ledger yet; "
            + "'homeport send DEVICE COMMAND' issues one"
    }

    /// The devices that pass the filter: of a kind by the ledger, by their reports over the channels.
    private func devices(
        of home: Home, _ device: DeviceID?, _ console: Console
    ) async throws(HomeError) -> Set<DeviceID> {
        let filter = filtering.filter
        let selection = device.map { Set([$0]) }
        guard filter.conditions.isEmpty else {
            let list = DeviceList(home: home, console: console, filter: filter)
            return Set(
                try await list.surveyed(telemetry: .whereNeeded, selection: selection)
                    .devices.map(\.id))
        }
        try await home.observation.requireKnownKind(filter.kind)
        try await home.naming.requireRoom(filter.room)
        let ofKind = try await home.rememberedDevices()
            .filter { filter.kind == nil || $0.kind == filter.kind }.map(\.id)
        var found = Set(ofKind).intersection(selection ?? Set(ofKind))
        if let room = filter.room {
            found.formIntersection(try await home.naming.labels().devices(in: room))
        }
        return found
    }
}
