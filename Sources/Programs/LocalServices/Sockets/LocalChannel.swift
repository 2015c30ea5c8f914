internal import Basics
import Glibc
package import SystemPackage

/// One end of a connection between two processes of one program, which write lines to each other for as long as both
/// live. It has no name in the file system: a process gets its end from the one that starts it. With blocking calls:
/// reading is for a thread of its own.
package final class LocalChannel: Sendable {
    private let socket: UniqueDescriptor
    /// The longest line, in bytes.
    private let limit: Int
    private let sending = Guarded(())

    /// The end that this process was started with.
    /// - Parameters:
    ///   - number: its file descriptor, which the channel closes.
    ///   - limit: the longest line that may come, in bytes.
    package init(_ number: Int32, linesOf limit: Int) throws(Errno) {
        socket = try UniqueDescriptor(number)
        self.limit = limit
    }

    /// A connection with both ends in this process, closed in programs that it starts.
    /// - Returns: one end, and the descriptor of the other one, which the caller closes once a child has it.
    package static func pair(
        linesOf limit: Int
    ) throws(Errno) -> (channel: LocalChannel, other: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
        return (try LocalChannel(ends[0], linesOf: limit), ends[1])
    }

    /// Sends a line. Lines of several tasks do not mix.
    /// - Throws: ``LocalServicesError`` `unanswered` where the other process has ended.
    package func send(_ line: [UInt8]) throws(LocalServicesError) {
        do throws(Errno) {
            try sending.withLock { _ throws(Errno) in try socket.send(line: line) }
        } catch { throw LocalServicesError(.unanswered, "\(error)", underlying: error) }
    }

    /// Hands over each line, without its end, until the other process closes its end or ends.
    /// - Throws: ``LocalServicesError`` where the connection breaks, or a line is too long.
    package func read(_ each: ([UInt8]) -> Void) throws(LocalServicesError) {
        var lines = LineReader(limit: limit)
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            while let line = try lines.next() { each(line) }
            let count: Int
            do throws(Errno) {
                count = try socket.receive(into: &bytes)
            } catch { throw LocalServicesError(.unanswered, "\(error)", underlying: error) }
            guard count > 0 else { return }
            lines.append(Array(bytes[..<count]))
        }
    }

    /// Tells the other process that nothing more is sent.
    package func finish() { shutdown(socket.number, Int32(SHUT_WR)) }
}
