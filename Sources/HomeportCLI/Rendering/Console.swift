import Glibc
import Synchronization

/// Where a verb writes: results to stdout, everything else to stderr.
///
/// A reader of stdout that has gone away (`| head`) is not an error: further results are dropped and
/// ``isClosed`` is set. SIGPIPE must be ignored.
final class Console: Sendable {
    /// Whether stdout is a terminal.
    let isTerminal: Bool
    /// Whether progress is shown on stderr.
    let showsProgress: Bool
    /// Remarks that are held back at most; the oldest are dropped.
    private static let heldLimit = 20

    private let closed = Mutex(false)
    /// Remarks that are held back; `nil` where they are written at once.
    private let held = Mutex<[String]?>(nil)
    /// The descriptor of stdout.
    let results: Int32
    private let remarks: Int32

    /// A console that writes to two descriptors, by default those of the program.
    init(isVerbose: Bool, results: Int32 = STDOUT_FILENO, remarks: Int32 = STDERR_FILENO) {
        isTerminal = isatty(results) == 1
        showsProgress = isVerbose || isatty(remarks) == 1
        self.results = results
        self.remarks = remarks
    }

    /// Whether the reader of stdout has gone away.
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

    /// Writes a message to stderr.
    func note(_ message: String) {
        let line = "homeport: \(message.onOneLine)"
        let isHeld = held.withLock { held in
            guard let earlier = held else { return false }
            held = (earlier + [line]).suffix(Self.heldLimit)
            return true
        }
        if !isHeld { _ = Self.write(Array("\(line)\n".utf8), to: remarks) }
    }

    /// The latest remark that is held back.
    var heldRemark: String? { held.withLock { $0?.last } }

    /// Holds remarks back while `body` draws on the terminal that they would be written to: a line
    /// from elsewhere would move what is drawn.
    func holdingRemarks<Value>(_ body: () async -> Value) async -> Value {
        guard isatty(remarks) == 1 else { return await body() }
        held.withLock { $0 = [] }
        let value = await body()
        let lines = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        _ = Self.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: remarks)
        return value
    }

    /// Writes progress to stderr: on a terminal or with `--verbose` only.
    func progress(_ message: @autoclosure () -> String) {
        if showsProgress { note(message()) }
    }

    /// Writes all bytes.
    /// - Returns: whether all of them were written.
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
