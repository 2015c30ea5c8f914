import Homeport
import TerminalOutput
import Testing

@testable import HomeportCLI

/// `doctor` on a terminal, in a pipe and as JSON.
@Suite struct DoctorScreensTests {
    private let findings: [Finding] = [
        .problem(.broker, "no broker", remedy: "start it"), .ok(.ledger, "sound\u{1B}[2J"),
        .warning(.latency, "slow", remedy: "wait"),
    ]

    @Test func problemsComeLast() {
        let lines = FindingsRenderer(format: .human).lines(for: findings)
        #expect(
            lines == [
                "STATUS   CHECK    FOUND", "ok       ledger   sound\\u001b[2J",
                "warning  latency  slow. Remedy: wait",
                "problem  broker   no broker. Remedy: start it", "3 checks, 1 problem, 1 warning",
            ])
    }

    @Test func aTerminalShowsThemInColours() {
        let layout = Layout(width: 40, usesColour: true)
        let lines = FindingsRenderer(format: .human, layout: layout).lines(for: findings)
        #expect(lines.last == "\u{1B}[31m3 checks, 1 problem, 1 warning\u{1B}[0m")
        #expect(lines.contains { $0.contains("\u{1B}[35mwarning") })
    }

    @Test func jsonKeepsTheOrderOfTheChecks() {
        let lines = FindingsRenderer(format: .json).lines(for: findings)
        #expect(
            lines.first
                == #"{"check":"broker","status":"problem","message":"no broker","remedy":"start it"}"#
        )
        #expect(lines.count == 3 && lines[1].contains(#""remedy":"""#))
    }
}
