import ArgumentParser
import Homeport

/// `homeport send`.
struct SendVerb: HomeVerb {
    static let name = "send"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Sends a command to one device or to many, and tracks it.",
        usage: """
            homeport send [<options>] <device> <command> [<key=value> ...]
            homeport send [<options>] --all <command> [<key=value> ...]
            homeport send [<options>] --kind <kind> --where <expr> <command> [<key=value> ...]
            homeport send [<options>] --retry <id>
            """,
        discussion: """
            Examples: homeport send sweeper-1 start-cleaning 'rooms=[1,2]' passes=2 --wait final
                      homeport send --where 'batteryPercent<20' return-to-dock

            The command and its arguments are checked against the device's own description \
            before anything is recorded or sent. A command that may wait for an offline device \
            does; Ctrl-C ends the wait (status 3), not the command. Arguments may also be given \
            with --set, even together with others.

            To many devices all commands are recorded at once, or none. A line for each device is \
            printed when its wait ends; devices that have no such command are left out.

            \(VerbStatus.help(VerbStatus.allCases))
            """)

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name; left out where many are meant.", valueName: "device"),
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

    func validate() throws { _ = try words() }

    func perform(in call: Call) async throws(Failure) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        let order = try order()
        let commandOptions = CommandOptions(lifetime: sending.expires, isDryRun: sending.dryRun)
        let following = waiting.following(in: call, common)
        // On the connection's thread, so that an answer wakes no other.
        return try await session.withHomeOnLoop { home throws(HomeError) in
            return try await following.status(
                in: home,
                ofSendingAll: { () throws(HomeError) in
                    try await order.send(in: home, console, commandOptions)
                })
        }
    }

    /// What the words of the command line mean: the first one is the command where many devices are
    /// meant.
    private func words() throws -> (
        receiver: SendOrder.Receiver, command: String, assignments: [ArgumentAssignment]
    ) {
        let words = [device, command].compactMap(\.self) + assignments
        if let group = selection.retry {
            guard words.isEmpty, given.setAssignments.isEmpty else {
                throw ValidationError("--retry sends the commands as they were: leave out the rest")
            }
            return (.group(group), "", [])
        }
        let isOne = !selection.isGroup
        guard let first = words.first else {
            throw ValidationError("Missing expected argument '<\(isOne ? "device" : "command")>'")
        }
        guard !isOne || words.count > 1 else {
            throw ValidationError("Missing expected argument '<command>'")
        }
        let typed = try words.dropFirst(isOne ? 2 : 1).map { try Self.assignment($0, isOne: isOne) }
        return (
            isOne ? .device(first) : .selection(selection.filtering.filter),
            isOne ? words[1] : first, typed + given.setAssignments
        )
    }

    private static func assignment(_ word: String, isOne: Bool) throws -> ArgumentAssignment {
        do throws(ValidationError) {
            return try ArgumentAssignment(word)
        } catch {
            let hint = isOne ? "" : "; --all, --kind and --where name the devices, leave DEVICE out"
            throw ValidationError("'\(word)' is invalid for '<key=value>': \(error.message)\(hint)")
        }
    }

    private func order() throws(Failure) -> SendOrder {
        do {
            let words = try words()
            return SendOrder(
                receiver: words.receiver, name: CommandName(rawValue: words.command),
                arguments: try ArgumentAssignment.arguments(words.assignments))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.usage, "\(error)")
        }
    }
}
