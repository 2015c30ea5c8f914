import Glibc
import Homeport

/// What a program sees of telemetry through `Home`, and through `MQTTClient` alone.
///
///     home-bench publish PORT DEVICES COUNT   samples of so many sweeping robots, in turn
///     home-bench client PORT DEVICES COUNT    one consumer of an MQTTSubscription
///     home-bench home PORT DEVICES COUNT      one consumer of Home.changes()
///     home-bench know PORT                    surveys a home, then waits for the end of its input
///
/// Prints `ready` on standard error once it is connected and subscribed, then lines `name value` on
/// standard output.
@main
enum HomeBench {
    static func main() async {
        let numbers = CommandLine.arguments.dropFirst(2).compactMap { Int($0) }
        do {
            switch (CommandLine.arguments.dropFirst().first, numbers.count) {
            case ("publish", 3): try await TelemetryFlood(numbers).publish()
            case ("client", 3): try await TelemetryFlood(numbers).readWithClient()
            case ("home", 3): try await TelemetryFlood(numbers).readWithHome()
            case ("know", 1): try await know(port: numbers[0])
            default:
                say("usage: see the head of HomeBench.swift")
                exit(64)
            }
        } catch {
            say("home-bench: \(error)")
            exit(2)
        }
    }

    /// Knows every device of a home, for as long as the input lasts.
    private static func know(port: Int) async throws {
        try await withHome("home-1", at: "mqtt://127.0.0.1:\(port)", ledger: .memory) { home in
            let survey = try await home.survey()
            report("devices", Double(survey.devices.count))
            say("ready")
            while readLine() != nil {}
        }
    }
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
