import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Testing

@testable import Fleet

/// Reports of runs that went as a test wants.
enum SampleReport {
    /// A text that would end every element and attribute that does not escape it.
    static let hostile = #"</text><script>alert("1")</script> & 'x' ]]>"#

    /// A report in which something of everything happened, and everything that can fail failed.
    static func broken() throws -> FleetReport {
        var report = passed()
        report.assertions = [
            AssertionOutcome(
                name: "all online", metric: "online-share", passed: true, found: 1,
                text: "at the end"),
            AssertionOutcome(
                name: hostile, metric: "command-p99", passed: false, found: 812.5,
                text: "at most 500, of home-1/sweeper-1 at 2026-06-21T10:00:00Z; \(hostile)"),
            AssertionOutcome(
                name: "nothing there", metric: "converged-share", passed: false, found: nil,
                text: "nothing to measure"),
        ]
        report.scenario = "name: \"A <storm>\"\ndevices: {}\n"
        let first = InvariantViolation(
            invariant: .noJump, home: try HomeID("home-2"), device: try DeviceID("sweeper-1"),
            at: Timestamp(milliseconds: 1_782_036_005_000), text: "it moved 3 m; \(hostile)")
        report.invariants.add(2, of: first)
        return report
    }

    /// A report of a run that could check none of its two assertions.
    static func unchecked() -> FleetReport {
        var report = passed()
        report.leftOut = ["all online", "all told"].map {
            UncheckedAssertion(name: $0, metric: "online-share", reason: "it needs a broker")
        }
        return report
    }

    /// A report of a run in which all went well.
    static func passed() -> FleetReport {
        var report = FleetReport(
            seed: 7, epoch: Timestamp(milliseconds: 1_782_036_000_000), world: .seconds(600),
            wall: .seconds(60))
        for time in 1...200 { report.lateness.add(milliseconds: time % 7) }
        return report
    }
}

extension FleetReport {
    /// Counts a sample that was so many milliseconds late.
    mutating func addLateness(_ time: Int) { lateness.add(milliseconds: time) }
}
