import TerminalOutput
import Testing

/// What a program says of its version.
@Suite struct ProgramVersionTests {
    @Test func releaseCommitAndProtocolAreTold() throws {
        let lines = try #require(ProgramVersion.lines(for: ["--verbose", "--version"]))
        #expect(lines.first == "release   \(ProgramVersion.release)")
        #expect(lines.last == "protocol  v1")
        #expect(lines.count == 3)
        // A build for tests is told no commit.
        #expect(lines[1] == "commit    \(ProgramVersion.commit ?? "not known")")
    }

    @Test(arguments: [["--version"], ["--verbose"], [], ["devices", "--version", "--verbose"]])
    func anyOtherLineIsThatOfTheParser(words: [String]) {
        #expect(ProgramVersion.lines(for: words) == nil)
    }
}
