import ArgumentParser
import Homeport

/// How a command is sent.
struct SendOptions: ParsableArguments {
    @Option(
        name: .customLong("set"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The same as key=value without --set; may be repeated.",
            discussion: "A value is JSON where it parses as JSON, else a text.",
            valueName: "key=value"),
        completion: .wordsOfSend, transform: { try ArgumentAssignment($0) })
    var setAssignments: [ArgumentAssignment] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long the command may be started, 1ms to 24h.",
            discussion: "Default: what the command's offline policy says, else 30s.",
            valueName: "time"),
        transform: Parsing.duration)
    var expires: Duration?

    @Flag(help: "Have the device check everything and do nothing.")
    var dryRun = false

    func validate() throws {
        if let expires, !CommandOptions.allowedLifetimes.contains(expires) {
            throw ValidationError("--expires must be from 1ms to 24h, not \(expires.text)")
        }
    }
}
