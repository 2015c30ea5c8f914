import ArgumentParser
import DeviceDomain
import Fleet
import Scenarios

/// How the world of a run goes.
struct WorldOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "World seconds per second, 0.01 to 1000; or max, without a broker, as fast as the "
                + "machine allows until --duration (default: 1).", valueName: "X"),
        transform: Self.speed)
    var speed: WorldSpeed?

    @Option(
        help: ArgumentHelp(
            "Where the world clock starts, such as 2026-06-21T06:00:00Z (default: now).",
            valueName: "TIME"),
        transform: Self.time)
    var epoch: Timestamp?

    @Flag(help: "Let faults come from the world itself: cables, thresholds, worn brushes, heat.")
    var wear = false

    @Option(
        help: ArgumentHelp(
            "Write a JSON report at the end, with a hash of what each device made.",
            valueName: "FILE"))
    var report: String?

    /// Whether the options say that the world goes without a broker.
    var isVirtual: Bool { speed == .max }

    private static let speed: @Sendable (String) throws -> WorldSpeed = { text in
        guard let speed = WorldSpeed(written: text) else {
            throw ValidationError("it must be a number from 0.01 to 1000, or max")
        }
        return speed
    }

    private static let time: @Sendable (String) throws -> Timestamp = { text in
        guard let time = Timestamp(text) else {
            throw ValidationError("times are written like 2026-06-21T06:00:00Z")
        }
        return time
    }
}
