import ArgumentParser
import Homeport

/// `homeport undo`.
struct UndoVerb: Verb {
    static let name = "undo"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Undoes the last command to a device that can be undone.",
        discussion: """
            Example: homeport undo sweeper-1

            A setting gets back the value that it replaced; an action that is under way is ended by \
            the command that reverses it. It is refused, with the reason, where it would not restore \
            what was: the state has changed since, the outcome is unknown, the action has finished.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp("The device: its id or name.", valueName: "device"),
        completion: .devices)
    var device: String

    @OptionGroup(title: "Wait") var waiting: GoalOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(options)
        let following = waiting.following(on: console, common)
        return try await session.withHomeOnLoop { home throws(Failure) in
            do throws(HomeError) {
                return try await following.status(in: home) { () throws(HomeError) in
                    try await home.undo(try await home.find(device).id)
                }
            } catch {
                throw session.failure(for: error)
            }
        }
    }
}
