import ArgumentParser
import Homeport

/// How a command is sent.
struct SendOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long the command may be started, 1ms to 24h.",
            discussion:
                "Default: 30s, and for a device that is offline what the command's policy says.",
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
