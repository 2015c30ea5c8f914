import Glibc

/// What the two streams of a program are: terminals or not, and what these can do.
struct Screen: Sendable {
    /// Whether stderr is a terminal.
    let remarksAreSeen: Bool
    /// Whether stdout is a terminal that knows control sequences.
    let movesCursor: Bool
    /// Whether colours are used on stdout.
    let usesColour: Bool
    /// The size of the terminal that stdout is now; `nil` for a file or pipe.
    let size: @Sendable () -> TerminalSize?
    /// The columns of the terminal that stderr is now; `nil` for a file or pipe.
    var remarkColumns: @Sendable () -> Int? = { nil }

    /// What two descriptors of this process are, by its environment.
    static func of(results: Int32, remarks: Int32) -> Screen {
        let isTerminal = isatty(results) == 1
        let remarksAreSeen = isatty(remarks) == 1
        let type = Environment.value(of: "TERM")
        let movesCursor = isTerminal && type != nil && type != "dumb"
        return Screen(
            remarksAreSeen: remarksAreSeen, movesCursor: movesCursor,
            // `NO_COLOR` switches colours off, whatever its value (no-color.org).
            usesColour: movesCursor && Environment.value(of: "NO_COLOR") == nil,
            size: { isTerminal ? .of(results) : nil },
            remarkColumns: { remarksAreSeen ? TerminalSize.of(remarks).columns : nil })
    }
}

/// The size of a terminal.
struct TerminalSize: Hashable, Sendable {
    /// Characters on a line.
    let columns: Int
    /// Lines on the screen.
    let rows: Int

    /// The size of a terminal, by the environment where it does not know its own.
    static func of(_ terminal: Int32) -> TerminalSize {
        var size = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return TerminalSize(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
        }
        return TerminalSize(
            columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    private static func number(_ variable: String) -> Int? {
        Environment.value(of: variable).flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    }
}
