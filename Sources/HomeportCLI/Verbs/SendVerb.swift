import ArgumentParser
import Homeport

/// `homeport send`.
struct SendVerb: Verb {
    static let name = "send"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Sends a command to a device and tracks it.",
        discussion: """
            Example: homeport send sweeper-1 start-cleaning 'rooms=[1,2]' passes=2 --wait final

            The command and its arguments are checked against the device's own description \
            before anything is recorded or sent. A command that may wait for an offline device \
            does; Ctrl-C ends the wait (status 3), not the command. Arguments may also be given \
            with --set, even together with others.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp("The device: its id or name.", valueName: "device"),
        completion: .wordsOfSend)
    var device: String

    @Argument(
        help: ArgumentHelp("The command, as 'show' lists it.", valueName: "command"),
        completion: .wordsOfSend, transform: CommandName.init(rawValue:))
    var command: CommandName

    @Argument(
        help: ArgumentHelp(
            "The command's arguments, as 'show' lists them.",
            discussion: "A value is JSON where it parses as JSON, else a text.",
            valueName: "key=value"),
        completion: .wordsOfSend, transform: { try ArgumentAssignment($0) })
    var assignments: [ArgumentAssignment] = []

    @OptionGroup(title: "Command") var sending: SendOptions
    @OptionGroup(title: "Wait") var waiting: GoalOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(options)
        let arguments = try ArgumentAssignment.arguments(assignments + sending.setAssignments)
        let commandOptions = CommandOptions(lifetime: sending.expires, isDryRun: sending.dryRun)
        let following = waiting.following(on: console, common)
        // On the connection's thread, so that an answer wakes no other.
        return try await session.withHomeOnLoop { home throws(Failure) in
            do throws(HomeError) {
                return try await following.status(in: home) { () throws(HomeError) in
                    try await home.send(
                        command, arguments, toDeviceCalled: device, options: commandOptions)
                }
            } catch {
                throw session.failure(for: error)
            }
        }
    }
}
