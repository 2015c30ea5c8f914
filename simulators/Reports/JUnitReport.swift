import DeviceSimulation
package import Fleet
import Markup

/// A report as JUnit's XML: a testcase for each assertion and each invariant, and one for the machine.
package enum JUnitReport {
    /// The document.
    package static func text(of report: FleetReport) -> String {
        let suites = [
            Suite(
                name: "assertions",
                cases: report.assertions.map { Case($0) } + report.leftOut.map { Case($0) }),
            Suite(
                name: "invariants",
                cases: Invariant.all.map { Case($0, in: report) }),
            Suite(name: "machine", cases: [Case(validityOf: report)]),
        ]
        return HTML.xmlDocument(
            element("testsuites", counts(of: suites.flatMap(\.cases), named: "homeport-sim")) {
                suites.map(\.markup)
            })
    }

    fileprivate static func counts(of cases: [Case], named name: String) -> [HTMLAttribute] {
        [
            .init("name", name), .init("tests", "\(cases.count)"),
            .init("failures", "\(cases.count { $0.failure != nil })"), .init("errors", "0"),
            .init("skipped", "\(cases.count { $0.skipped != nil })"),
        ]
    }

    fileprivate struct Suite {
        let name: String
        let cases: [Case]

        var markup: HTML {
            element("testsuite", JUnitReport.counts(of: cases, named: name)) { cases.map(\.markup) }
        }
    }

    fileprivate struct Case {
        /// Why it failed: in short, and with everything that is known.
        struct Failure {
            let kind: String
            let message: String
            let text: String
        }

        let suite: String
        let name: String
        var failure: Failure?
        /// Why it was not checked; `nil` where it was.
        var skipped: String?

        var markup: HTML {
            element("testcase", .init("classname", suite), .init("name", name)) {
                if let failure {
                    element(
                        "failure", .init("type", failure.kind), .init("message", failure.message),
                        text: failure.text)
                }
                if let skipped { element("skipped", .init("message", skipped), text: "") }
            }
        }
    }
}

extension JUnitReport.Case {
    fileprivate init(_ outcome: AssertionOutcome) {
        suite = "assertions"
        name = outcome.name
        let found = outcome.found.map { "\(outcome.metric) is \(NumberText.short($0))" }
        failure =
            outcome.passed
            ? nil
            : Failure(
                kind: outcome.metric, message: found ?? "there was nothing to measure",
                text: outcome.text)
    }

    fileprivate init(_ assertion: UncheckedAssertion) {
        suite = "assertions"
        name = assertion.name
        skipped = assertion.reason
    }

    fileprivate init(_ invariant: Invariant, in report: FleetReport) {
        suite = "invariants"
        name = invariant.name
        failure = report.invariants.entries[invariant.name].map { entry in
            let first = entry.first
            return Failure(
                kind: "invariant",
                message: "\(first.home)/\(first.device) at \(first.at): \(first.text)",
                text: "\(invariant.statement); it did not hold \(entry.violations) times, for the "
                    + "first time in \(first.home) at device \(first.device) at \(first.at): "
                    + first.text)
        }
    }

    fileprivate init(validityOf report: FleetReport) {
        suite = "machine"
        name = "keeps-up"
        failure = report.reason.map {
            Failure(kind: "saturation", message: $0, text: "\($0); see --processes and --speed")
        }
    }
}
