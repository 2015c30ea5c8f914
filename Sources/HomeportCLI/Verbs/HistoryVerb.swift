import ArgumentParser
import Homeport

/// `homeport history`.
struct HistoryVerb: HomeVerb {
    static let name = "history"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Lists the commands of the ledger with their states, newest first.",
        discussion: """
            Example: homeport history --device sweeper-1 --limit 5

            It reads the ledger alone and needs no broker, except with --where, which asks for the \
            commands of the devices that meet a condition now.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Option(
        help: ArgumentHelp("The commands of this device only.", valueName: "device"),
        completion: .devices)
    var device: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "At most so many commands.", discussion: "Default: \(Self.usualLimit).", valueName: "n"),
        transform: Parsing.count)
    var limit: Int?
    private static let usualLimit = 50

    @OptionGroup var filtering: FilterOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker, for --where") var broker: BrokerOptions

    func perform(in call: Call) async throws(Failure) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let device = try await id(of: device, in: home)
            guard let found = try await records(of: home, device, console) else { return .done }
            let records = Array(found.prefix(shown))
            let renderer = HistoryRenderer(format: common.format, layout: console.layout)
            console.write(
                list: renderer.lines(for: records), common.format,
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
        if filtering.filter.isEmpty { return try await home.history(device: device, limit: limit) }
        var devices = try await devices(of: home, console)
        if let device { devices.formIntersection([device]) }
        guard !devices.isEmpty else {
            console.note(filtering.noMatch(in: home))
            return nil
        }
        return try await home.history(devices: devices, limit: limit)
    }

    /// What to say where there are none.
    private func noCommands(to device: DeviceID?, in home: HomeID) -> String {
        if let device { return "the ledger has no commands to \(device) in \(home)" }
        guard filtering.filter.isEmpty else {
            return "the ledger has no commands to \(filtering.filter) in \(home)"
        }
        return "no commands of \(home) are in the ledger yet; "
            + "'homeport send DEVICE COMMAND' issues one"
    }

    /// The devices that pass the filter: of a kind by the ledger, by their reports over the channels.
    private func devices(of home: Home, _ console: Console) async throws(HomeError) -> Set<DeviceID>
    {
        let filter = filtering.filter
        guard filter.conditions.isEmpty else {
            let list = DeviceList(home: home, console: console, filter: filter)
            return Set(try await list.surveyed(telemetry: .whereNeeded).devices.map(\.id))
        }
        return Set(try await home.rememberedDevices().filter { $0.kind == filter.kind }.map(\.id))
    }
}
