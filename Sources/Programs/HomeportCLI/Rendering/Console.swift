import Basics
import Glibc

/// Where a verb writes: results to stdout, everything else to stderr; of this process, or of the one
/// that called a server.
///
/// A reader of stdout that has gone away (`| head`) is no error: from then on results are dropped
/// and ``isClosed`` says so. Any other failure to write is told by ``writeFailure``. SIGPIPE must
/// be ignored.
final class Console: Sendable {
    /// What stdout and stderr are.
    let screen: Screen
    /// Whether progress is shown on stderr.
    let showsProgress: Bool
    /// Remarks that are held back at most; the oldest are dropped.
    private static let heldLimit = 20

    private let end = Guarded(End?.none)
    /// Remarks that are held back; `nil` where they are written at once.
    private let held = Guarded<[String]?>(nil)
    /// Whether a line of progress stands on the terminal, with the cursor behind it.
    private let hasProgressLine = Guarded(false)
    private let write: @Sendable ([UInt8], Stream) -> Int32?

    /// One of the two streams that a program writes to.
    enum Stream: Sendable {
        /// Standard output.
        case results
        /// Standard error.
        case remarks
    }

    /// A console that writes to two descriptors, by default those of the program.
    convenience init(
        isVerbose: Bool, results: Int32 = STDOUT_FILENO, remarks: Int32 = STDERR_FILENO
    ) {
        self.init(isVerbose: isVerbose, screen: .of(results: results, remarks: remarks)) {
            RawOutput.write($0, to: $1 == .results ? results : remarks)
        }
    }

    /// A console that writes elsewhere.
    /// - Parameter write: returns the error number where it could not.
    init(
        isVerbose: Bool, screen: Screen,
        write: @escaping @Sendable ([UInt8], Stream) -> Int32?
    ) {
        self.screen = screen
        showsProgress = isVerbose || screen.remarksAreSeen
        self.write = write
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
        guard !isClosed, let number = write(bytes, .results) else { return }
        end.withLock { $0 = number == EPIPE ? .readerLeft : .failed(number) }
    }

    /// Writes characters that move the cursor, and what they place, to a terminal.
    func draw(_ frame: String) {
        write(Array(frame.utf8))
    }

    /// Writes bytes that another process has laid out for a stream.
    func pass(_ bytes: [UInt8], _ stream: Stream) {
        switch stream {
        case .results: write(bytes)
        case .remarks: _ = write(bytes, .remarks)
        }
    }

    /// Writes one line of result to stdout.
    func write(_ line: String) { write(CollectionOfOne(line)) }

    /// Writes the lines of a list to stdout. Where it is empty, people are told so on stderr; programs
    /// that read JSON see that there is no line.
    func write(list lines: [String], _ format: OutputFormat, ifEmpty remark: String) {
        write(lines)
        if lines.isEmpty, format == .human { note(remark) }
    }

    /// Writes a message to stderr.
    func note(_ message: String) { add("homeport: \(message.onOneLine)") }

    /// Writes a line to stderr, or holds it back.
    private func add(_ line: String) {
        let isHeld = held.withLock { held in
            guard let earlier = held else { return false }
            held = (earlier + [line]).suffix(Self.heldLimit)
            return true
        }
        if !isHeld { _ = write(Array("\(takeProgressLine())\(line)\n".utf8), .remarks) }
    }

    /// The latest remark that is held back.
    var heldRemark: String? { held.withLock { $0?.last } }

    /// Holds remarks back while `body` draws on the terminal that they would be written to: a line
    /// from elsewhere would move what is drawn.
    func holdingRemarks<Value>(_ body: () async -> Value) async -> Value {
        guard screen.remarksAreSeen else { return await body() }
        held.withLock { $0 = [] }
        let value = await body()
        let lines = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        _ = write(Array(lines.map { $0 + "\n" }.joined().utf8), .remarks)
        return value
    }

    /// Writes progress to stderr: on a terminal, cut to its width, or with `--verbose`.
    func progress(_ message: @autoclosure () -> String) {
        if showsProgress { add(fitted("homeport: \(message().onOneLine)")) }
    }

    /// Writes a remark for people to stderr, whole: on a terminal or with `--verbose` only.
    func hint(_ message: @autoclosure () -> String) {
        if showsProgress { note(message()) }
    }

    /// A line cut to the terminal of stderr, where it is one.
    private func fitted(_ line: String) -> String {
        screen.remarkColumns().map { line.fitted(to: $0) } ?? line
    }

    /// Replaces the line of progress on the terminal of stderr; `nil` takes it away. Nothing is written
    /// elsewhere.
    func showProgressLine(_ text: String?) {
        guard screen.remarksAreSeen else { return }
        let erasing = takeProgressLine()
        let line = text.map { fitted("homeport: \($0)".onOneLine) } ?? ""
        hasProgressLine.withLock { $0 = text != nil }
        _ = write(Array("\(erasing)\(line)".utf8), .remarks)
    }

    /// What takes the line of progress away.
    private func takeProgressLine() -> String {
        hasProgressLine.withLock { isShown in
            defer { isShown = false }
            return isShown ? "\r\u{1B}[K" : ""
        }
    }
}
