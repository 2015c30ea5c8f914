import Glibc
import MQTTClient

/// Runs clients against a broker that dies, stops and comes back, and watches what they hold on to.
///
///     mqtt-soak [MINUTES] [SEED]
///
/// Progress goes to standard error, the samples' summary and the verdict to standard output. Exit
/// status: 0 flat and alive, 1 not, 2 it could not be tried, 64 wrong arguments.
@main
enum MQTTSoak {
    /// Seven rounds, which a verdict needs, of 40 s at most each; and a week.
    private static let possibleMinutes = 5.0...10_080.0

    /// Not asynchronous: the thread that starts the broker must outlive it, so this one does the faults.
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let minutes = Double(arguments.first ?? "60"), possibleMinutes.contains(minutes),
            let seed = UInt64(arguments.dropFirst().first ?? "1"), arguments.count <= 2
        else {
            say("usage: mqtt-soak [MINUTES] [SEED]: 5 to 10080 minutes, a seed of digits")
            exit(64)
        }
        do {
            let verdict = try Soak(seed: seed).run(for: .seconds(minutes * 60))
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
