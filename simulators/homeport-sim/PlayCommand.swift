import ArgumentParser
import Fleet
import TerminalOutput

/// `homeport-sim play`: publishes what was recorded.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Publish the messages of a cassette as they were recorded.",
        discussion: """
            EXAMPLE
              homeport-sim play day.ndjson --broker mqtt://127.0.0.1 --speed 60 --restamp

            Topics, QoS, retain flags and payloads are those of the recording, and so are the times \
            between messages, divided by --speed. With --restamp integer members named `at` of JSON \
            payloads are moved: by as much as playing is later than recording, and closer together \
            by --speed. Without --broker the private broker of a running homeport-sim is used, so \
            that a recorded device stands beside simulated ones.

            EXIT STATUS
              0   the broker took every message
              2   the file cannot be read, or the broker did not take every message
              5   the broker was unreachable, or refused the connection
              64  wrong options
              65  the file is no cassette
            """)

    @OptionGroup(title: "Broker") var options: CassetteOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Recorded seconds per second, 0.01 to 1000; or max, as fast as the broker takes them "
                + "(default: 1).", valueName: "X"), transform: WorldOptions.speed)
    var speed: WorldSpeed?

    @Flag(help: "Move integer members named at to the time of playing.")
    var restamp = false

    @Argument(
        help: ArgumentHelp("The cassette.", valueName: "FILE"),
        completion: .file(extensions: ["ndjson"]))
    var file: String

    /// Recorded seconds per second; `nil` for as fast as possible.
    private var factor: Double? {
        switch speed {
        case .times(let factor)?: factor
        case .max?: nil
        case nil: 1
        }
    }

    func run() async throws {
        let player = CassettePlayer(try options.client(), speed: factor, restamping: restamp)
        do {
            let outcome = try await UntilInterrupt.run(for: nil) { [file] in
                let cassette = try CassetteFile(reading: file)
                return try await player.play(try cassette.head()) { try cassette.next() }
            }
            guard let reason = outcome.reason else {
                Console.simulator.hint("played \(outcome.messages) messages")
                return
            }
            Console.simulator.note(
                "the broker did not take \(outcome.refused) of \(outcome.messages + outcome.refused) "
                    + "messages: \(reason)")
            throw ExitStatus.fault
        } catch let status as ExitCode {
            throw status
        } catch {
            Console.simulator.note("\(error)")
            throw ExitStatus.after(error)
        }
    }
}
