import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport dashboard`.
struct DashboardVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "dashboard",
        abstract: "Prints a new link to the dashboard of the running 'homeport serve --http'.",
        discussion: """
            Example: homeport dashboard

            The link lets one browser in, once. Links that were not opened yet stay good until \
            that server ends.

            \(VerbStatus.help(
                [.done, .notDone, .usage, .internalError],
                but: [.notDone: "no server with a dashboard runs for this home, ledger and broker"]))
            """)

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let server = try call.requireServer(
            startedBy: "homeport serve --http 127.0.0.1:8080", for: options)
        guard let link = server.dashboard?.newLink() else {
            throw CommandLineError(
                .notDone,
                "the running 'homeport serve' has no dashboard; start it again with --http "
                    + "127.0.0.1:8080")
        }
        var line = JSONLine()
        line.add("link", link)
        call.console.write(common.json ? line.text : link)
        return .done
    }
}
