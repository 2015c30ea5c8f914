import ArgumentParser
import DeviceDomain
import Fleet
import Scenarios

/// How the world of a run goes.
struct WorldOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
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
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Write a report at the end: JSON with a hash of what each device made, JUnit where the "
                + "name ends in .xml, a page where it ends in .html. May be given more than once.",
            valueName: "FILE"), completion: .file(), transform: ReportFile.option)
    var report: [ReportFile] = []

    /// Whether what each device makes is noted.
    var isReported: Bool { !report.isEmpty }

    func validate() throws {
        guard Set(report).count == report.count else {
            throw ValidationError("--report names a file twice: give each its own")
        }
    }

    /// Whether the options say that the world goes without a broker.
    var isVirtual: Bool { speed == .max }

    /// The value of an option.
    static let speed: @Sendable (String) throws -> WorldSpeed = { text in
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
