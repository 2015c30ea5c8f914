import ArgumentParser
import Homeport

/// `homeport redo`.
struct RedoVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Does again what was undone last on a device.",
        discussion: """
            Example: homeport redo sweeper-1

            It is refused, with the reason, if another command has come since or the state of the \
            device has changed.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name, as 'homeport devices' lists them.", valueName: "device"),
        completion: .devices)
    var device: String

    @OptionGroup(title: "Wait") var waiting: GoalOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayHaveSent }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let follower = waiting.follower(in: call, common)
        return try await session.withHomeOnLoop { home throws(HomeError) in
            return try await follower.status(in: home) { () throws(HomeError) in
                try await home.redo(try await home.commands.receiver(called: device).id)
            }
        }
    }
}
