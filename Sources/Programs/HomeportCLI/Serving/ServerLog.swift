import Basics
import Homeport

/// What a server has said on stderr, for those who ask later: its newest lines.
final class ServerLog: Sendable {
    /// How many lines are kept.
    static let limit = 1_000

    /// A line, and when it was said.
    struct Line: Hashable, Sendable {
        let at: Timestamp
        /// Without the name of the program.
        let text: String
    }

    private struct State {
        var lines: [Line] = []
        var readers: [Int: AsyncStream<Line>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = Guarded(State())
    /// What every line begins with.
    private let prefix: String

    /// The log of a program that has said nothing yet.
    init(of program: String) { prefix = "\(program): " }

    /// Takes in what the server says.
    /// - Parameter text: whole lines.
    func add(_ text: String, at now: Timestamp) {
        let lines = text.split(separator: "\n").map { line in
            Line(
                at: now,
                text: String(line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : line))
        }
        state.withLock { state in
            state.lines = (state.lines + lines).suffix(Self.limit)
            for reader in state.readers.values {
                for line in lines { reader.yield(line) }
            }
        }
    }

    /// What was said so far, oldest first.
    var lines: [Line] { state.withLock { $0.lines } }

    /// What was said so far, then what is said, until the task is cancelled. For a reader that falls behind by
    /// ``limit`` lines the oldest are dropped.
    func following() -> AsyncStream<Line> {
        let (stream, reader) = AsyncStream.makeStream(
            of: Line.self, bufferingPolicy: .bufferingNewest(Self.limit))
        let number = state.withLock { state in
            for line in state.lines { reader.yield(line) }
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            return state.nextReader
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { $0.readers[number] = nil }
        }
        return stream
    }
}
