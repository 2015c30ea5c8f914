import ArgumentParser
import LocalServices

/// `homeport-sim pause`: lets the world of a running fleet stand still.
struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Let the world clock of a running fleet stand still.",
        discussion: """
            EXAMPLE
              homeport-sim pause

            Nothing happens in the world until 'homeport-sim resume' or 'step': no sample is made, \
            and no robot moves. Connections, acknowledgements and the expiry of commands go on, for \
            they are of the wall clock. What a command changes takes effect at the instant at which \
            the world stands. The time that --duration counts goes on too.

            With --json the world clock is printed as 'homeport-sim status' prints it.

            EXIT STATUS
              0   the world stands still
              2   no fleet runs, or it does not answer
              64  wrong options
            """)

    @OptionGroup var choice: FleetChoice

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws { try choice.show(.pause, asJSON: json) }
}
