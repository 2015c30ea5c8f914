import Basics
import Glibc

/// Where a command line writes: results to stdout, everything else to stderr; of this process, or of the one
/// that called a server.
///
/// A reader of stdout that has gone away (`| head`) is no error: from then on results are dropped
/// and ``isClosed`` is true. ``writeError`` has any other failure to write. SIGPIPE must
/// be ignored.
package final class Console: Sendable {
    /// The program, whose name messages begin with.
    private let program: String
    /// What stdout and stderr are.
    package let screen: TerminalCapabilities
    /// Whether progress is shown on stderr.
    package let showsProgress: Bool
    /// Remarks that are held back at most; the oldest are dropped.
    private static let heldLimit = 20

    private let end = Guarded(End?.none)
    /// Remarks that are held back; `nil` where they are written at once.
    private let held = Guarded<[String]?>(nil)
    /// Whether a line of progress stands on the terminal, with the cursor behind it.
    private let hasProgressLine = Guarded(false)
    private let write: @Sendable ([UInt8], Stream) -> Int32?

    /// One of the two streams that a program writes to.
    package enum Stream: Sendable {
        /// Standard output.
        case results
        /// Standard error.
        case remarks
    }

    /// A console that writes to two descriptors, by default those of the program.
    package convenience init(
        program: String, isVerbose: Bool, results: Int32 = STDOUT_FILENO,
        remarks: Int32 = STDERR_FILENO
    ) {
        self.init(
            program: program, isVerbose: isVerbose, screen: .of(results: results, remarks: remarks)
        ) {
            RawOutput.write($0, to: $1 == .results ? results : remarks)
        }
    }

    /// A console that writes elsewhere.
    /// - Parameter write: returns the error number where it could not.
    package init(
        program: String, isVerbose: Bool, screen: TerminalCapabilities,
        write: @escaping @Sendable ([UInt8], Stream) -> Int32?
    ) {
        self.program = program
        self.screen = screen
        showsProgress = isVerbose || screen.remarksAreSeen
        self.write = write
    }

    /// The same console, which also hands on each remark that it writes.
    /// - Parameter record: is given whole lines.
    package func copyingRemarks(to record: @escaping @Sendable (String) -> Void) -> Console {
        Console(program: program, isVerbose: showsProgress, screen: screen) {
            [write] bytes, stream in
            if stream == .remarks { record(String(decoding: bytes, as: UTF8.self)) }
            return write(bytes, stream)
        }
    }

    /// Why nothing more can be written to stdout.
    private enum End {
        /// Its reader has gone away.
        case readerLeft
        /// The system refused, with this error number.
        case failed(Int32)
    }

    /// Whether nothing more can be written to stdout.
    package var isClosed: Bool { end.withLock { $0 != nil } }

    /// Why results are missing on stdout; `nil` where all were written, or their reader has gone.
    package var writeError: String? {
        guard case .failed(let number)? = end.withLock({ $0 }) else { return nil }
        return "the result could not be written to stdout: \(String(cString: strerror(number))); "
            + "make room or write it elsewhere"
    }

    /// Writes a result to stdout, line by line.
    package func write(_ lines: some Sequence<String>) {
        write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private func write(_ bytes: [UInt8]) {
        guard !isClosed, let number = write(bytes, .results) else { return }
        end.withLock { $0 = number == EPIPE ? .readerLeft : .failed(number) }
    }

    /// Writes characters that move the cursor, and what they place, to a terminal.
    package func draw(_ frame: String) {
        write(Array(frame.utf8))
    }

    /// Writes bytes that another process has laid out for a stream.
    package func pass(_ bytes: [UInt8], _ stream: Stream) {
        switch stream {
        case .results: write(bytes)
        case .remarks: _ = write(bytes, .remarks)
        }
    }

    /// Writes one line of result to stdout.
    package func write(_ line: String) { write(CollectionOfOne(line)) }

    /// Writes a line to stderr that other programs read.
    package func announce(_ line: String) { pass(Array("\(line)\n".utf8), .remarks) }

    /// Writes a message to stderr.
    package func note(_ message: String) { add("\(program): \(message.onOneLine)") }

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
    package var heldRemark: String? { held.withLock { $0?.last } }

    /// Holds remarks back while `body` draws on the terminal that they would be written to: a line
    /// from elsewhere would move what is drawn.
    package func holdingRemarks<Value>(_ body: () async -> Value) async -> Value {
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
    package func progress(_ message: @autoclosure () -> String) {
        if showsProgress { add(fitted("\(program): \(message().onOneLine)")) }
    }

    /// Writes a remark for people to stderr, whole: on a terminal or with `--verbose` only.
    package func hint(_ message: @autoclosure () -> String) {
        if showsProgress { note(message()) }
    }

    /// A line cut to the terminal of stderr, where it is one.
    private func fitted(_ line: String) -> String {
        screen.remarkColumns().map { line.fitted(to: $0) } ?? line
    }

    /// Replaces the line of progress on the terminal of stderr; `nil` takes it away. Nothing is written
    /// elsewhere.
    package func showProgressLine(_ text: String?) {
        guard screen.remarksAreSeen else { return }
        let erasing = takeProgressLine()
        let line = text.map { fitted("\(program): \($0)".onOneLine) } ?? ""
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

extension Console {
    /// How results are laid out now: the user may have resized the terminal.
    package var layout: Layout {
        Layout(width: terminalSize?.columns, usesColour: screen.usesColour)
    }

    /// The size of the terminal that stdout is; `nil` for a file or pipe.
    package var terminalSize: TerminalSize? { screen.size() }

    /// Whether stdout is a terminal that knows control sequences.
    package var movesCursor: Bool { screen.movesCursor }
}
