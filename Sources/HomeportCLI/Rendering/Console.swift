import Glibc
import Synchronization

/// The terminal, file or pipe that a verb speaks to: results on stdout, all else on stderr.
///
/// A reader of stdout that has gone away (`| head`) is no error: from then on results are dropped
/// and ``isClosed`` says so. SIGPIPE must be ignored.
final class Console: Sendable {
    /// Whether stdout is a terminal.
    let isTerminal: Bool
    /// Whether progress is shown on stderr.
    let showsProgress: Bool
    private let closed = Mutex(false)
    /// The descriptor of stdout.
    let results: Int32
    private let remarks: Int32

    /// A console over two descriptors, the program's own unless told otherwise.
    init(isVerbose: Bool, results: Int32 = STDOUT_FILENO, remarks: Int32 = STDERR_FILENO) {
        isTerminal = isatty(results) == 1
        showsProgress = isVerbose || isatty(remarks) == 1
        self.results = results
        self.remarks = remarks
    }

    /// Whether nobody reads stdout any more.
    var isClosed: Bool { closed.withLock { $0 } }

    /// Writes a result to stdout, line by line.
    func write(_ lines: some Sequence<String>) {
        let text = lines.map { $0 + "\n" }.joined()
        guard !isClosed, !Self.write(Array(text.utf8), to: results) else { return }
        closed.withLock { $0 = true }
    }

    /// Writes characters that move the cursor, and what they place, to a terminal.
    func draw(_ frame: String) {
        guard !isClosed, !Self.write(Array(frame.utf8), to: results) else { return }
        closed.withLock { $0 = true }
    }

    /// Writes one line of result to stdout.
    func write(_ line: String) { write(CollectionOfOne(line)) }

    /// Tells the user on stderr what the result does not say.
    func note(_ message: String) {
        _ = Self.write(Array("homeport: \(message.onOneLine)\n".utf8), to: remarks)
    }

    /// Tells on stderr how far things are: on a terminal or with `--verbose` only.
    func progress(_ message: @autoclosure () -> String) {
        if showsProgress { note(message()) }
    }

    /// Writes all bytes.
    /// - Returns: whether that was possible.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.removeFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
