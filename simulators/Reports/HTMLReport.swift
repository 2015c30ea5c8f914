import DeviceSimulation
package import Fleet
import Markup

/// A report as one page: no script, no request to anywhere, light or dark as its reader has it.
package enum HTMLReport {
    /// The page.
    package static func text(of report: FleetReport) -> String {
        let verdict = ReportVerdict(of: report)
        let findings = FindingTables(report: report)
        // What does not hold is read first; what holds, last.
        let isClean = report.invariants.isClean
        let head = element("head") {
            void("meta", .init("charset", "utf-8"))
            void(
                "meta", .init("name", "viewport"),
                .init("content", "width=device-width, initial-scale=1"))
            void("meta", .init("name", "color-scheme"), .init("content", "light dark"))
            element("title", text: "\(verdict.word): \(ReportHeader.title(of: report))")
            HTML.style(ReportStyle.sheet)
        }
        let body = element("body") {
            element("main") {
                ReportHeader(report: report, verdict: verdict).markup
                ReportTiles(report: report).markup
                findings.assertions
                if !isClean { findings.invariants }
                FleetSection(report: report).markup
                LatencySection(report: report).markup
                TraceSections(report: report).markup
                if isClean { findings.invariants }
                DeviceTable(report: report).markup
                scenario(of: report)
            }
            element("footer") {
                "homeport-sim · all times are world times in UTC, unless they say otherwise"
            }
        }
        return HTML.document(language: "en", theme: "system", head, body).markup
    }

    private static func scenario(of report: FleetReport) -> HTML? {
        report.scenario.map { text in
            section("Scenario") {
                element("details") {
                    element("summary", text: "What was asked for")
                    element("pre") { element("code", text: text) }
                }
            }
        }
    }

    /// A part of the page with its title.
    static func section(_ title: String, @HTMLBuilder content: () -> HTML) -> HTML {
        element("section") {
            element("h2", text: title)
            content()
        }
    }
}
