import Glibc
import Homeport

/// What commands cost through `Home`, with their ledger in a file.
///
///     command-bench accept PORT COUNT LEDGER                to every device, one group after the other
///     command-bench finish PORT COUNT CONCURRENT LEDGER     each to its final acknowledgement
///     command-bench queue PORT COUNT LEDGER                 to devices that are away, then waits
///     command-bench abandon PORT COUNT LEDGER               to mute devices, then ends like a crash
///     command-bench recover PORT LEDGER                     takes over what a dead process left open
///
/// The devices are those of raw-c/raw_commands.c. Prints `ready` on standard error once the devices are
/// known, and lines `name value` on standard output. `queue` prints `ready` when the commands wait, and
/// ends with its input.
@main
enum CommandBench {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let numbers = words.dropFirst().compactMap { Int($0) }
        do {
            guard let ledger = words.last else { throw usage }
            switch (words.first, numbers.count) {
            case ("accept", 2): try await Submitting(numbers, ledger).accept()
            case ("finish", 3): try await Submitting(numbers, ledger).finish(concurrent: numbers[2])
            case ("queue", 2): try await Submitting(numbers, ledger).queue()
            case ("abandon", 2): try await Submitting(numbers, ledger).abandon()
            case ("recover", 1): try await Recovery(port: numbers[0], ledger).run()
            default: throw usage
            }
        } catch {
            say("command-bench: \(error)")
            exit(error is BenchError ? 64 : 2)
        }
    }

    private static let usage = BenchError(description: "usage: see the head of CommandBench.swift")
}

/// The bench was called wrongly.
struct BenchError: Error, CustomStringConvertible {
    let description: String
}

/// One line on standard error.
func say(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}

/// One result.
func report(_ name: String, _ value: Double) {
    print(name, value)
    fflush(nil)
}

extension Duration {
    /// The duration as a number.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension HomeConfiguration {
    /// The home of the bench's devices.
    /// - Parameter ledger: a file, or the URL of a PostgreSQL database.
    static func bench(port: Int, ledger: String) throws -> HomeConfiguration {
        var configuration = try HomeConfiguration(
            home: "home-1", broker: "mqtt://127.0.0.1:\(port)",
            ledger: ledger.hasPrefix("postgresql:") ? .server(ledger) : .file(ledger))
        configuration.takesOverOpenCommands = false
        return configuration
    }
}
