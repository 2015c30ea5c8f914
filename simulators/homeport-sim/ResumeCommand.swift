import ArgumentParser
import LocalServices

/// `homeport-sim resume`: lets a world go on that stood still.
struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let the world clock of a running fleet go on.",
        discussion: """
            EXAMPLE
              homeport-sim resume

            The world goes on at its speed from where 'homeport-sim pause' or 'step' has left it.

            With --json the world clock is printed as 'homeport-sim status' prints it.

            EXIT STATUS
              0   the world goes on
              2   no fleet runs, or it does not answer
              64  wrong options
            """)

    @OptionGroup var choice: FleetChoice

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws { try choice.show(.resume, asJSON: json) }
}
