import Glibc
import MQTTClient

/// Runs clients against a broker that dies, stops and comes back, and watches what they hold on to.
///
///     mqtt-soak [MINUTES] [SEED]
///
/// Progress goes to standard error, the samples' summary and the verdict to standard output. Exit
/// status: 0 flat and alive, 1 not, 2 it could not be tried.
@main
enum MQTTSoak {
    /// Not asynchronous: the thread that starts the broker must outlive it, so this one does the faults.
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().map { Double($0) }
        guard arguments.count <= 2, !arguments.contains(nil) else {
            say("usage: mqtt-soak [MINUTES] [SEED]")
            exit(64)
        }
        let values = arguments.compactMap { $0 }
        do {
            let soak = try Soak(seed: values.count > 1 ? UInt64(values[1]) : 1)
            let verdict = try soak.run(for: .seconds((values.first ?? 60) * 60))
            for line in verdict.lines { print(line) }
            exit(verdict.isGood ? 0 : 1)
        } catch {
            say("soak: \(error)")
            exit(2)
        }
    }
}

/// One line on standard error.
func say(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}

/// Why the soak could not be tried.
struct SoakError: Error, CustomStringConvertible {
    let description: String
}
