import Homeport
import TerminalOutput

/// What a check of the audit log found, as `audit verify` prints it.
struct AuditRenderer: Sendable {
    let format: OutputFormat

    /// The lines for a report.
    func lines(for report: AuditReport) -> [String] {
        switch format {
        case .human: sentences(for: report)
        case .json: [line(for: report).text]
        }
    }

    private func sentences(for report: AuditReport) -> [String] {
        let count = report.entries == 1 ? "1 entry" : "\(report.entries) entries"
        guard !report.isIntact else { return ["\(count), all as they were written"] }
        let sentences = report.problems.map { "entry \($0.number): \($0.reason)" }
        return sentences + ["\(count), and the log is not as it was written"]
    }

    private func line(for report: AuditReport) -> JSONLine {
        var line = JSONLine()
        line.add("entries", report.entries)
        line.add("intact", .boolean(report.isIntact))
        let problems = report.problems.map { problem -> JSONValue in
            ["n": .integer(problem.number), "reason": .string(problem.reason)]
        }
        line.add("problems", .array(problems))
        return line
    }
}
