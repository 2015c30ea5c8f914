import DeviceSimulation
import Fleet
import Markup

/// What became of assertions and invariants.
struct FindingTables {
    let report: FleetReport

    /// The assertions of the scenario; nothing without one.
    var assertions: HTML {
        guard !report.assertions.isEmpty || !report.leftOut.isEmpty else { return .empty }
        return HTMLReport.section("Assertions") {
            table(["", "Name", "Metric", "Found", "What was asked for"]) {
                report.assertions.map { outcome in
                    element("tr", .class(outcome.passed ? "" : "broken")) {
                        mark(outcome.passed)
                        element("th", .init("scope", "row"), text: outcome.name)
                        element("td") { element("code", text: outcome.metric) }
                        element(
                            "td", .class("number"),
                            text: outcome.found.map(NumberText.short) ?? "–")
                        element("td", text: outcome.text)
                    }
                }
                report.leftOut.map { assertion in
                    element("tr") {
                        element("td", .class("mark"), text: "–")
                        element("th", .init("scope", "row"), text: assertion.name)
                        element("td") { element("code", text: assertion.metric) }
                        element("td", .class("number"), text: "not checked")
                        element("td", text: assertion.reason)
                    }
                }
            }
        }
    }

    /// The invariants of the world, with the first violation of each that was violated.
    var invariants: HTML {
        let isClean = report.invariants.isClean
        let titles = ["", "Name", "Violations", "What holds", "First time that it did not"]
        return HTMLReport.section("Invariants of the world") {
            table(isClean ? titles.dropLast() : titles) {
                Invariant.all.map { invariant in
                    let entry = report.invariants.entries[invariant.name]
                    return element("tr", .class(entry == nil ? "" : "broken")) {
                        mark(entry == nil)
                        element("th", .init("scope", "row")) {
                            element("code", text: invariant.name)
                        }
                        element(
                            "td", .class("number"),
                            text: NumberText.grouped(entry?.violations ?? 0))
                        element("td", text: invariant.statement)
                        if !isClean {
                            element("td", text: entry.map { Self.place($0.first) } ?? "–")
                        }
                    }
                }
            }
        }
    }

    private static func place(_ first: InvariantViolation) -> String {
        "\(first.home)/\(first.device), \(NumberText.moment(first.at)): \(first.text)"
    }

    private func mark(_ holds: Bool) -> HTML {
        element("td", .class(holds ? "mark good" : "mark bad"), text: holds ? "✓" : "✗")
    }

    private func table(_ titles: [String], @HTMLBuilder rows: () -> HTML) -> HTML {
        element("div", .class("wide")) {
            element("table") {
                element("thead") {
                    element("tr") {
                        titles.map { element("th", .init("scope", "col"), text: $0) }
                    }
                }
                element("tbody", content: rows)
            }
        }
    }
}
