import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport resolve`.
struct ResolveVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Asks the devices about every command whose outcome is unknown.",
        discussion: """
            Example: homeport resolve

            A line for each such command says how it stands after that, also for those that a homeport \
            which has ended left open. What had left is not sent again. A device that is offline cannot be \
            asked; try again when it is back.

            Where the device can no longer tell, 'homeport show DEVICE' says what holds now. With --accept \
            the command is put away: it stays unknown in the history, and is no longer listed as open. \
            That needs no broker.

            \(VerbStatus.help([.done, .notDone, .undecided, .noConnection] + VerbStatus.ofEveryHome))
            """)

    @Option(
        help: ArgumentHelp(
            "Put this command away, whose outcome stays unknown.", valueName: "id"),
        transform: Parsing.commandReference)
    var accept: CommandReference?

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let renderer = CommandRenderer(format: common.format, layout: console.layout)
            if let accept {
                return try await putAway(accept, in: home, console, renderer)
            }
            let records = try await home.resolveUnknown()
            for record in records { console.write(renderer.lines(for: record)) }
            try await console.noteElsewhere(in: home)
            guard records.contains(where: { $0.state == .unknown }) else { return .done }
            console.note(
                "what stays unknown: 'homeport show DEVICE' says what holds now, and 'homeport resolve "
                    + "--accept ID' puts a command away")
            return .undecided
        }
    }

    private func putAway(
        _ reference: CommandReference, in home: Home, _ console: Console,
        _ renderer: CommandRenderer
    ) async throws(HomeError) -> VerbStatus {
        let id = try await home.commandID(reference)
        do throws(HomeError) {
            console.write(renderer.lines(for: try await home.putAway(id)))
            return .done
        } catch {
            guard error.code == .notUnknown else { throw error }
            console.note(error.message)
            return .notDone
        }
    }
}
