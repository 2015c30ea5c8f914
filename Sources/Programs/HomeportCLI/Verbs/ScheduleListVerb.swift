import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport schedule list`.
struct ScheduleListVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the schedules with their next and last runs.",
        discussion: """
            Example: homeport schedule list --json

            It reads the ledger alone and needs no broker. A run is missed if no 'homeport serve' \
            ran at its time, or its device could not be reached.

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: SchedulesRenderer.columns)
        let session = try Session(options, call)
        return try await session.withHome { home throws(HomeError) in
            let renderer = SchedulesRenderer(
                style: style, layout: call.console.layout, labels: try await home.naming.labels())
            call.console.write(
                renderer.listing(of: try await home.schedules()), style,
                ifEmpty: "\(home.id) has no schedules; "
                    + "'homeport schedule add --at HH:MM DEVICE COMMAND' adds one")
            return .done
        }
    }
}
