import ArgumentParser
import LocalServices

/// `homeport-sim step`: sets a world forward that stands still.
struct StepCommand: ParsableCommand {
    /// How far.
    enum Step {
        /// So much world time.
        case time(Duration)
        /// To the next instant of any device.
        case next
    }

    static let configuration = CommandConfiguration(
        commandName: "step",
        abstract: "Set the world clock of a paused fleet forward.",
        discussion: """
            EXAMPLE
              homeport-sim step 10m
              homeport-sim step next

            The world goes that far as fast as the machine allows, and stands still again. Devices \
            publish what they do on the way. 'next' is the next instant of any device: a whole \
            second, or one at which a device samples its signals.

            With --json the world clock is printed as 'homeport-sim status' prints it.

            EXIT STATUS
              0   the world has come there
              2   no fleet runs, or it does not answer
              64  wrong options, or a world that is not paused
            """)

    /// A step takes as long as the devices need for it.
    private static let answerLimit = Duration.seconds(24 * 3600)

    @Argument(
        help: ArgumentHelp("How far, in world time, or next.", valueName: "T|next"),
        completion: .list(["next"]), transform: Self.step)
    var step: Step

    @OptionGroup var choice: FleetChoice

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        let request: ControlRequest =
            switch step {
            case .time(let time): .step(time)
            case .next: .step(nil)
            }
        try choice.show(request, asJSON: json, within: Self.answerLimit)
    }

    private static let step: @Sendable (String) throws -> Step = { text in
        if text == "next" { return .next }
        return .time(try OptionValues.time(from: "1ms", to: "87600h")(text))
    }
}
