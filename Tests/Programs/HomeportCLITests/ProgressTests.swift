import Basics
import Testing

@testable import HomeportCLI

/// What is written to the terminal of stderr while a verb works.
@Suite struct ProgressTests {
    private func remarks(columns: Int?, _ body: (Console) -> Void) -> String {
        let written = Guarded("")
        let screen = Screen(
            remarksAreSeen: columns != nil, movesCursor: false, usesColour: false, size: { nil },
            remarkColumns: { columns })
        body(
            Console(isVerbose: true, screen: screen) { bytes, _ in
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

    @Test func aServerKnowsTheWidthOfItsCaller() {
        let screen = Screen(
            remarksAreSeen: true, movesCursor: false, usesColour: false, size: { nil },
            remarkColumns: { 30 })
        let line = CallRequest(words: ["devices"], screen: screen).line
        #expect(CallRequest(Array(line.dropLast()))?.screen.remarkColumns() == 30)
    }
}
