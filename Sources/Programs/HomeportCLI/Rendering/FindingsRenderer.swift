import Homeport
import TerminalOutput

/// What a diagnosis has found, as `doctor` prints it.
struct FindingsRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain

    /// The lines for these findings: for people the problems last, where they are seen.
    func lines(for findings: [Finding]) -> [String] {
        switch format {
        case .human: table(of: findings).lines(in: layout) + [summary(of: findings)]
        case .json: findings.map(\.line.text)
        }
    }

    private func table(of findings: [Finding]) -> TextTable {
        var table = TextTable([
            .init("STATUS"), .init("CHECK"), .init("FOUND", .wrapped(minimum: 30)),
        ])
        for status in [Finding.Status.ok, .warning, .problem] {
            for finding in findings where finding.status == status {
                table.add([
                    .init(status.rawValue, status.tone), .init(finding.check.rawValue),
                    .init(finding.sentence),
                ])
            }
        }
        return table
    }

    private func summary(of findings: [Finding]) -> String {
        let problems = findings.count { $0.status == .problem }
        let warnings = findings.count { $0.status == .warning }
        let text =
            "\(findings.count) checks, \(problems) problem\(problems == 1 ? "" : "s"), "
            + "\(warnings) warning\(warnings == 1 ? "" : "s")"
        return layout.paint(text, problems > 0 ? .bad : .plain)
    }
}

extension Finding {
    /// What was found and what to do.
    fileprivate var sentence: String { remedy.isEmpty ? message : "\(message). Remedy: \(remedy)" }

    fileprivate var line: JSONLine {
        var line = JSONLine()
        line.add("check", check.rawValue)
        line.add("status", status.rawValue)
        line.add("message", message)
        line.add("remedy", remedy)
        return line
    }
}
