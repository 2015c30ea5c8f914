import ArgumentParser
import Homeport

/// The devices that `send` is for, instead of one.
struct SelectionOptions: ParsableArguments {
    @Flag(help: "Send to every device of the home that has the command.")
    var all = false

    @OptionGroup var filtering: FilterOptions

    @Option(
        help: ArgumentHelp(
            "Send again what failed of an earlier command to many devices.",
            discussion: """
                It was refused, rejected or failed, or it expired. --all printed the id; the id of one of the \
                commands will do, its last 6 or more digits, or 'last' for the newest command.
                """,
            valueName: "id"),
        transform: Parsing.commandReference)
    var retry: CommandReference?

    /// Whether many devices are meant.
    var isGroup: Bool { all || !filtering.filter.isEmpty || retry != nil }

    func validate() throws {
        if all && !filtering.filter.isEmpty {
            throw ValidationError(
                "--all means every device: leave it out, or --kind, --room and --where")
        }
        if retry != nil && (all || !filtering.filter.isEmpty) {
            throw ValidationError(
                "--retry names its devices: leave out --all, --kind, --room and --where")
        }
    }
}
