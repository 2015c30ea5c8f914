import DeviceSimulation
import Fleet

/// Whether a run was as it should be.
enum ReportVerdict: Hashable {
    /// All assertions and invariants held.
    case passed
    /// So many assertions and invariants did not hold.
    case failed(assertions: Int, invariants: Int)
    /// The machine was too slow: it says nothing.
    case invalid(reason: String)

    init(of report: FleetReport) {
        if let reason = report.reason {
            self = .invalid(reason: reason)
            return
        }
        let assertions = report.assertions.count { !$0.passed }
        let invariants = report.invariants.entries.count
        self =
            assertions + invariants == 0
            ? .passed : .failed(assertions: assertions, invariants: invariants)
    }

    /// In a word.
    var word: String {
        switch self {
        case .passed: "Passed"
        case .failed: "Failed"
        case .invalid: "Invalid"
        }
    }

    /// The class that gives it its colour.
    var tone: String {
        switch self {
        case .passed: "good"
        case .failed: "bad"
        case .invalid: "warn"
        }
    }

    /// What it means here.
    var sentence: String {
        switch self {
        case .passed: "Everything that was checked held."
        case .failed(let assertions, let invariants):
            [
                Self.part(assertions, "assertion"), Self.part(invariants, "invariant"),
            ].compactMap(\.self).joined(separator: " and ") + " did not hold."
        case .invalid(let reason):
            "\(reason.prefix(1).uppercased())\(reason.dropFirst()). The figures below say little of "
                + "the devices."
        }
    }

    private static func part(_ count: Int, _ word: String) -> String? {
        count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
