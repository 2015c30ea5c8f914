import Homeport
import Testing

@testable import HomeportCLI

/// What a server keeps of what it says.
@Suite struct ServerLogTests {
    private let log = ServerLog(of: "homeport")

    @Test func linesHaveTheirTimeAndNoProgram() {
        log.add("homeport: serving home-1\n", at: Timestamp(milliseconds: 1))
        log.add("ready\n", at: Timestamp(milliseconds: 2))
        log.add("homeport: one\nhomeport: two\n", at: Timestamp(milliseconds: 3))
        #expect(log.lines.map(\.text) == ["serving home-1", "ready", "one", "two"])
        #expect(log.lines.map(\.at.milliseconds) == [1, 2, 3, 3])
    }

    @Test func theOldestAreDropped() {
        for number in 0..<ServerLog.limit + 5 {
            log.add("\(number)\n", at: Timestamp(milliseconds: number))
        }
        #expect(log.lines.count == ServerLog.limit)
        #expect(log.lines.first?.text == "5")
    }

    @Test func aReaderGetsWhatWasSaidAndWhatIsSaid() async {
        log.add("early\n", at: Timestamp(milliseconds: 1))
        var lines = log.following().makeAsyncIterator()
        log.add("late\n", at: Timestamp(milliseconds: 2))
        #expect(await lines.next()?.text == "early")
        #expect(await lines.next()?.text == "late")
    }
}
