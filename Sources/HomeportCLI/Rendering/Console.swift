import Glibc
import Synchronization

/// Where a verb writes: results to stdout, everything else to stderr.
///
/// A reader of stdout that has gone away (`| head`) is no error: from then on results are dropped
/// and ``isClosed`` says so. Any other failure to write is told by ``writeFailure``. SIGPIPE must
/// be ignored.
final class Console: Sendable {
    /// Whether stdout is a terminal.
    let isTerminal: Bool
    /// Whether progress is shown on stderr.
    let showsProgress: Bool
    /// Remarks that are held back at most; the oldest are dropped.
    private static let heldLimit = 20

    private let end = Mutex(End?.none)
    /// Remarks that are held back; `nil` where they are written at once.
    private let held = Mutex<[String]?>(nil)
    /// Whether a line of progress stands on the terminal, with the cursor behind it.
    private let hasProgressLine = Mutex(false)
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

    /// Why nothing more can be written to stdout.
    private enum End {
        /// Its reader has gone away.
        case readerLeft
        /// The system refused, with this error number.
        case failed(Int32)
    }

    /// Whether nothing more can be written to stdout.
    var isClosed: Bool { end.withLock { $0 != nil } }

    /// Why results are missing on stdout; `nil` where all were written, or their reader has gone.
    var writeFailure: Failure? {
        guard case .failed(let number)? = end.withLock({ $0 }) else { return nil }
        return Failure(
            .internalError,
            "the result could not be written to stdout: \(String(cString: strerror(number))); "
                + "make room or write it elsewhere")
    }

    /// Writes a result to stdout, line by line.
    func write(_ lines: some Sequence<String>) {
        write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func write(_ bytes: [UInt8]) {
        guard !isClosed, let number = Self.write(bytes, to: results) else { return }
        end.withLock { $0 = number == EPIPE ? .readerLeft : .failed(number) }
    }

    /// Writes characters that move the cursor, and what they place, to a terminal.
    func draw(_ frame: String) {
        write(Array(frame.utf8))
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
        if !isHeld { _ = Self.write(Array("\(takeProgressLine())\(line)\n".utf8), to: remarks) }
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

    /// Replaces the line of progress on the terminal of stderr; `nil` takes it away. Nothing is written
    /// elsewhere.
    func showProgressLine(_ text: String?) {
        guard isatty(remarks) == 1 else { return }
        let erasing = takeProgressLine()
        let line = text.map { "homeport: \($0)".onOneLine } ?? ""
        hasProgressLine.withLock { $0 = text != nil }
        _ = Self.write(Array("\(erasing)\(line)".utf8), to: remarks)
    }

    /// What takes the line of progress away.
    private func takeProgressLine() -> String {
        hasProgressLine.withLock { isShown in
            defer { isShown = false }
            return isShown ? "\r\u{1B}[K" : ""
        }
    }

    /// Writes all bytes.
    /// - Returns: the error number where that was not possible.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.removeFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
