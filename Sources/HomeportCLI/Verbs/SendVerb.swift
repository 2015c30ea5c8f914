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
            Example: homeport send sweeper-1 start-cleaning --set 'rooms=[1,2]' --wait final

            The command and its arguments are checked against the device's own description \
            before anything is recorded or sent. A command that may wait for an offline device \
            does; Ctrl-C ends the wait (status 3), not the command.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(help: ArgumentHelp("The device: its id or name.", valueName: "device"))
    var device: String

    @Argument(
        help: ArgumentHelp("The command, as 'show' lists it.", valueName: "command"),
        transform: CommandName.init(rawValue:))
    var command: CommandName

    @OptionGroup(title: "Command") var sending: SendOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(options)
        let arguments = try sending.arguments
        let commandOptions = CommandOptions(lifetime: sending.expires, isDryRun: sending.dryRun)
        let following = Following(
            console: console,
            renderer: CommandRenderer(format: common.format, layout: console.layout),
            target: sending.wait, limit: sending.waitTimeout)
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
