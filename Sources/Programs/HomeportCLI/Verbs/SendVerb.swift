import ArgumentParser
import Homeport

/// `homeport send`.
struct SendVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Sends a command to one device or to many, and tracks it.",
        usage: """
            homeport send [<options>] <device> <command> [<key=value> ...]
            homeport send [<options>] --all <command> [<key=value> ...]
            homeport send [<options>] --kind <kind> --room <room> --where <expr> <command> [<key=value> ...]
            homeport send [<options>] --retry <id>
            """,
        discussion: """
            Examples: homeport send sweeper-1 start-cleaning 'rooms=[1,2]' passes=2 --wait final
                      homeport send sweeper-1,sweeper-2 locate
                      homeport send 'sweeper-*' return-to-dock
                      homeport send --where 'batteryPercent<20' return-to-dock

            The command and its arguments are checked against the device's own description \
            before anything is recorded or sent. A command that may wait for an offline device \
            does; Ctrl-C ends the wait (status 3), not the command. Arguments may also be given \
            with --set, even together with others.

            To many devices all commands are recorded at once, or none. A line for each device is \
            printed when its wait ends; devices that have no such command are left out, unless they are \
            named. In a pattern * stands for any characters and ? for one, in ids and names.

            Where the ledger is in PostgreSQL and another machine serves the home, that one sends the \
            command: no broker is needed here.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name, names with commas between them, or a pattern such as 'sweeper-*'; left "
                + "out where --all or another selection says who is meant.", valueName: "device"),
        completion: .wordsOfSend)
    var device: String?

    @Argument(
        help: ArgumentHelp("The command, as 'show' lists it.", valueName: "command"),
        completion: .wordsOfSend)
    var command: String?

    @Argument(
        help: ArgumentHelp(
            "The command's arguments, as 'show' lists them.",
            discussion: "A value is JSON where the device takes that JSON, else a text.",
            valueName: "key=value"),
        completion: .wordsOfSend)
    var assignments: [String] = []

    @OptionGroup(title: "Many devices") var selection: SelectionOptions
    @OptionGroup(title: "Command") var given: ArgumentOptions
    @OptionGroup(title: "Command") var sending: SendOptions
    @OptionGroup(title: "Wait") var waiting: GoalOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayHaveSent }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let order = try order()
        let session = try Session(options, call)
        let console = call.console
        let commandOptions = CommandOptions(lifetime: sending.expires, isDryRun: sending.dryRun)
        let follower = waiting.follower(in: call, common)
        // On the connection's thread, so that an answer wakes no other.
        return try await session.withHomeOnLoop { home throws(HomeError) in
            return try await follower.status(
                in: home,
                ofSendingAll: { () throws(HomeError) in
                    try await order.send(in: home, console, commandOptions)
                })
        }
    }

    /// What is to be sent. The first argument is the command where many devices are meant.
    private func order() throws(CommandLineError) -> SendOrder {
        var positionals = ([device, command].compactMap(\.self) + assignments)[...]
        if let group = selection.retry {
            guard positionals.isEmpty, given.setAssignments.isEmpty else {
                throw Self.usage("--retry sends the commands as they were: leave out the rest")
            }
            return SendOrder(
                receiver: .group(group), name: CommandName(rawValue: ""),
                arguments: TypedArguments())
        }
        var receiver = SendOrder.Receiver.selection(selection.filtering.filter)
        if !selection.isGroup {
            guard let device = positionals.popFirst() else {
                throw Self.usage(
                    "Missing expected argument '<device>'; 'homeport devices' lists the devices")
            }
            receiver = ListedDevices.isList(device) ? .listed(device) : .device(device)
        }
        guard let command = positionals.popFirst() else {
            throw Self.usage(
                "Missing expected argument '<command>'; 'homeport show <device>' lists its commands"
            )
        }
        let typed = try positionals.map { text throws(CommandLineError) in try assignment(text) }
        return SendOrder(
            receiver: receiver, name: CommandName(rawValue: command),
            arguments: try ArgumentAssignment.arguments(typed + given.setAssignments))
    }

    private func assignment(_ text: String) throws(CommandLineError) -> ArgumentAssignment {
        do throws(ValidationError) {
            return try ArgumentAssignment(text)
        } catch {
            let hint =
                selection.isGroup
                ? "; --all, --kind, --room and --where name the devices, leave DEVICE out" : ""
            throw Self.usage("'\(text)' is invalid for '<key=value>': \(error.message)\(hint)")
        }
    }

    private static func usage(_ message: String) -> CommandLineError {
        .usage("\(message) (see 'homeport send --help')")
    }
}
