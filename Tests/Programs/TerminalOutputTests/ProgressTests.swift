import Basics
import Testing

@testable import TerminalOutput

/// What is written to the terminal of stderr while a verb works.
@Suite struct ProgressTests {
    private func remarks(columns: Int?, _ body: (Console) -> Void) -> String {
        let written = Guarded("")
        let screen = TerminalCapabilities(
            remarksAreSeen: columns != nil, movesCursor: false, usesColour: false, size: { nil },
            remarkColumns: { columns })
        body(
            Console(program: "homeport", isVerbose: true, screen: screen) { bytes, _ in
                written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
                return nil
            })
        return written.withLock { $0 }
    }

    @Test func progressIsCutToTheTerminal() {
        let long = "waiting for a sample of sweeper-1, sweeper-2"
        #expect(remarks(columns: 30) { $0.progress(long) } == "homeport: waiting for a sampl…\n")
        #expect(remarks(columns: nil) { $0.progress(long) } == "homeport: \(long)\n")
        #expect(
            remarks(columns: 30) { $0.showProgressLine(long) } == "homeport: waiting for a sampl…")
    }

    @Test func remarksAreWhole() {
        let long = "4 commands; 'homeport send --retry 01a2' sends again what fails"
        #expect(remarks(columns: 30) { $0.hint(long) } == "homeport: \(long)\n")
        #expect(remarks(columns: 30) { $0.note(long) } == "homeport: \(long)\n")
    }
}
