import Fleet

/// What a run that ended as asked came to.
struct RunVerdict {
    let report: FleetReport
    /// The files that tell of it: reports, and the scenario.
    let files: [String]

    init(of report: FleetReport, in files: [String]) {
        self.report = report
        self.files = files
    }

    /// Whether all is well.
    /// - Throws: `InvariantsViolated`, ``InvalidRun`` where the machine was too slow for a report or a scenario,
    ///   ``AssertionsFailed``.
    func check() throws {
        // The world is wrong however slow the machine is.
        if let violated = InvariantsViolated(report.invariants) { throw violated }
        if let file = files.first, let reason = report.reason {
            throw InvalidRun(reason: reason, file: file)
        }
        if let failed = AssertionsFailed(report.assertions) { throw failed }
    }
}

/// The machine was too slow, so that the report says little of the devices.
struct InvalidRun: Error, CustomStringConvertible {
    let reason: String
    let file: String

    var description: String {
        "the run of \(file) is not valid: \(reason); run fewer devices, more processes, or a lower --speed"
    }
}

/// Assertions of a scenario failed in a run that went well otherwise.
struct AssertionsFailed: Error, CustomStringConvertible {
    private let failed: [AssertionOutcome]

    /// `nil` where all held.
    init?(_ outcomes: [AssertionOutcome]) {
        failed = outcomes.filter { !$0.passed }
        guard !failed.isEmpty else { return nil }
    }

    var description: String {
        let lines = failed.map { "\($0.name): \($0.text)" }
        return "\(failed.count == 1 ? "an assertion" : "\(failed.count) assertions") failed: "
            + lines.joined(separator: "; ")
    }
}
