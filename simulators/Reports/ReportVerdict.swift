import DeviceSimulation
import Fleet

/// Whether a run was as it should be.
enum ReportVerdict: Hashable {
    /// All invariants held, and all assertions but those that were not checked.
    case passed(unchecked: Int)
    /// The scenario has assertions, of which none was checked; all invariants held.
    case unchecked(Int)
    /// So many assertions and invariants did not hold.
    case failed(assertions: Int, invariants: Int, unchecked: Int)
    /// The machine was too slow: it says nothing.
    case invalid(reason: String)

    init(of report: FleetReport) {
        if let reason = report.reason {
            self = .invalid(reason: reason)
            return
        }
        let assertions = report.assertions.count { !$0.passed }
        let invariants = report.invariants.entries.count
        let unchecked = report.leftOut.count
        if assertions + invariants > 0 {
            self = .failed(assertions: assertions, invariants: invariants, unchecked: unchecked)
        } else if report.assertions.isEmpty, unchecked > 0 {
            self = .unchecked(unchecked)
        } else {
            self = .passed(unchecked: unchecked)
        }
    }

    /// In a word.
    var word: String {
        switch self {
        case .passed: "Passed"
        case .unchecked: "Not checked"
        case .failed: "Failed"
        case .invalid: "Invalid"
        }
    }

    /// The class that gives it its colour.
    var tone: String {
        switch self {
        case .passed: "good"
        case .failed: "bad"
        case .unchecked, .invalid: "warn"
        }
    }

    /// What it means here.
    var sentence: String {
        switch self {
        case .passed(let unchecked): "Everything that was checked held." + Self.remark(unchecked)
        case .unchecked(let count):
            "The scenario has \(Self.part(count, "assertion") ?? ""), and none was checked in this run. "
                + "The invariants of the world held."
        case .failed(let assertions, let invariants, let unchecked):
            [
                Self.part(assertions, "assertion"), Self.part(invariants, "invariant"),
            ].compactMap(\.self).joined(separator: " and ") + " did not hold."
                + Self.remark(unchecked)
        case .invalid(let reason):
            "\(reason.prefix(1).uppercased())\(reason.dropFirst()). The figures below say little of "
                + "the devices."
        }
    }

    private static func remark(_ unchecked: Int) -> String {
        guard let count = part(unchecked, "assertion") else { return "" }
        return " \(count) \(unchecked == 1 ? "was" : "were") not checked."
    }

    private static func part(_ count: Int, _ word: String) -> String? {
        count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}
