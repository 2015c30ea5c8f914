import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport cancel`.
struct CancelVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Takes a command back.",
        discussion: """
            Examples: homeport cancel last
                      homeport cancel 9b7e11

            A command that waits is taken back in the ledger alone, without a broker. Of one that \
            has left the device is asked to stop it.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp(
            "The command: its id, the last 6 or more digits of it, or 'last' for the newest one.",
            discussion: "'queue' and 'history' list the ids.", valueName: "id"),
        transform: Parsing.commandReference)
    var command: CommandReference

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayHaveSent }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let ended = try await home.cancel(try await home.commandID(command))
            let renderer = CommandRenderer(format: common.format, layout: console.layout)
            console.write(renderer.lines(for: ended.record))
            if let reason = ended.reason { console.note(reason) }
            if ended.isUndecided { return .undecided }
            return ended.record.state == .cancelled ? .done : .notDone
        }
    }
}
