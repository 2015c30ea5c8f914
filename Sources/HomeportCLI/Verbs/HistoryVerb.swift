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
        completion: .devices, transform: Parsing.identifier)
    var device: DeviceID?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("At most so many commands.", valueName: "n"),
        transform: Parsing.count)
    var limit = 50

    @OptionGroup var filtering: FilterOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker, for --where") var broker: BrokerOptions

    func perform(in call: Call) async throws(Failure) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            guard let records = try await records(of: home, console) else { return .done }
            let renderer = HistoryRenderer(format: common.format, layout: console.layout)
            console.write(
                list: renderer.lines(for: records), common.format, ifEmpty: noCommands(in: home.id))
            return .done
        }
    }

    /// The commands; `nil` where no device passes the filter, which is said.
    private func records(
        of home: Home, _ console: Console
    ) async throws(HomeError) -> [CommandRecord]? {
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
    private func noCommands(in home: HomeID) -> String {
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
