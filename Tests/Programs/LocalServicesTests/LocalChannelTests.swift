import Glibc
import Testing

@testable import LocalServices

/// Lines between two processes, here two ends in one.
@Suite(.timeLimit(.minutes(1))) struct LocalChannelTests {
    @Test func linesOfSeveralTasksComeWholeUntilTheOtherEndIsFinished() async throws {
        let (channel, other) = try LocalChannel.pair(linesOf: 100_000)
        let peer = try LocalChannel(other, linesOf: 100_000)
        async let sent: Void = withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try channel.send([UInt8](repeating: UInt8(97 + number), count: 9000))
                }
            }
            try await group.waitForAll()
            channel.finish()
        }
        var lines: [[UInt8]] = []
        try peer.read { lines.append($0) }
        try await sent
        #expect(lines.count == 20)
        #expect(lines.allSatisfy { line in line.count == 9000 && Set(line).count == 1 })
    }

    @Test func aLineThatIsTooLongEndsTheReading() throws {
        let (channel, other) = try LocalChannel.pair(linesOf: 10)
        let peer = try LocalChannel(other, linesOf: 10)
        try channel.send([UInt8](repeating: 97, count: 11))
        #expect(throws: LocalServicesError.self) { try peer.read { _ in } }
    }

    @Test func nothingIsSentToAnEndThatIsGone() throws {
        let (channel, other) = try LocalChannel.pair(linesOf: 10)
        close(other)
        let error = #expect(throws: LocalServicesError.self) { try channel.send([97]) }
        #expect(error?.code == .unanswered)
    }
}
