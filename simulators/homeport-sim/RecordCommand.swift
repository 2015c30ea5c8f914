import ArgumentParser
import Fleet
import Glibc
import MQTTClient
import TerminalOutput

/// `homeport-sim record`: the messages of a broker, written to a file.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record topics of a broker on a cassette, until interrupted.",
        usage: "homeport-sim record [options] --topics FILTER… FILE",
        discussion: """
            EXAMPLE
              homeport-sim record --broker mqtt://127.0.0.1 --topics 'homeport/v1/#' day.ndjson
              homeport-sim record --duration 10m --topics 'zigbee2mqtt/#' 'tele/#' bridges.ndjson

            The file has a line of JSON for each message, with its offset in milliseconds, topic, QoS, \
            retain flag and payload. MQTT 5 keeps the retain flag as it was published; with 3.1.1 a \
            broker passes it on for retained messages only. A line `recording` follows on standard \
            error once the broker has confirmed the subscriptions.

            EXIT STATUS
              0   recorded until the interrupt, or for --duration
              2   the file cannot be written, or messages came faster than that
              5   the broker was unreachable, or refused the connection or a filter
              64  wrong options
            """)

    @OptionGroup(title: "Broker") var options: CassetteOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Topic filters, such as 'homeport/v1/#'.", valueName: "FILTER"))
    var topics: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to record (default: until interrupted).", valueName: "T"),
        transform: OptionValues.time(from: "1ms", to: "87600h"))
    var duration: Duration?

    @Argument(
        help: ArgumentHelp("The cassette; one that exists is replaced.", valueName: "FILE"),
        completion: .file(extensions: ["ndjson"]))
    var file: String?

    /// Filters and file: where the file follows the filters, it is the last of them.
    private var words: (filters: [String], file: String?) {
        guard file == nil else { return (topics, file) }
        return (topics.dropLast(), topics.last)
    }

    private func filters() throws -> [MQTTTopicFilter] {
        do throws(MQTTError) {
            var filters: [MQTTTopicFilter] = []
            for text in words.filters { filters.append(try MQTTTopicFilter(text)) }
            return filters
        } catch { throw ValidationError("--topics: \(error.message)") }
    }

    func validate() throws {
        guard words.file != nil, !(try filters()).isEmpty else {
            throw ValidationError("name filters and a file: --topics 'homeport/v1/#' day.ndjson")
        }
    }

    func run() async throws {
        let recorder = CassetteRecorder(try options.client(), of: try filters())
        do {
            let outcome = try await record(recorder, to: words.file ?? "")
            guard outcome.missing == 0 else {
                Console.simulator.note(
                    "\(outcome.missing) messages are missing: they came faster than they could be written"
                )
                throw ExitStatus.fault
            }
            Console.simulator.hint("recorded \(outcome.messages) messages")
        } catch let status as ExitCode {
            throw status
        } catch {
            Console.simulator.note("\(error)")
            throw ExitStatus.after(error)
        }
    }

    private func record(
        _ recorder: CassetteRecorder, to path: String
    ) async throws -> CassetteRecorder.Outcome {
        try await UntilInterrupt.run(for: duration) {
            let file = try CassetteFile(writing: path)
            let outcome = try await recorder.record {
                Console.simulator.announce("recording")
            } writing: {
                try file.write($0)
            }
            try file.finish()
            return outcome
        }
    }
}
