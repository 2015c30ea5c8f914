import ArgumentParser
import Homeport
import TerminalOutput

/// How far a sent command is followed.
struct GoalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How far the command must come: accepted, final or observed.",
            discussion: "Default: final for settings and instants, accepted for actions.",
            valueName: "goal"),
        completion: .list(WaitTarget.allCases.map(\.rawValue)), transform: Parsing.waitTarget)
    var wait: WaitTarget?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Ends the wait, not the command.",
            discussion: """
                Default: as long as it takes; for observed 10s after the final ack.
                """,
            valueName: "time"),
        transform: Parsing.duration)
    var waitTimeout: Duration?

    /// Follows a command this far and prints it.
    func follower(in call: Call, _ common: CommonOptions) -> CommandFollower {
        CommandFollower(
            call: call,
            renderer: CommandRenderer(format: common.format, layout: call.console.layout),
            target: wait, limit: waitTimeout)
    }
}
