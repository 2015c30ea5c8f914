import Basics
import Glibc

/// What the two streams of a program are: terminals or not, and what these can do.
package struct TerminalCapabilities: Sendable {
    /// Whether stderr is a terminal.
    package let remarksAreSeen: Bool
    /// Whether stdout is a terminal that knows control sequences.
    package let movesCursor: Bool
    /// Whether colours are used on stdout.
    package let usesColour: Bool
    /// The size of the terminal that stdout is now; `nil` for a file or pipe.
    package let size: @Sendable () -> TerminalSize?
    /// The columns of the terminal that stderr is now; `nil` for a file or pipe.
    package let remarkColumns: @Sendable () -> Int?

    package init(
        remarksAreSeen: Bool, movesCursor: Bool, usesColour: Bool,
        size: @escaping @Sendable () -> TerminalSize?,
        remarkColumns: @escaping @Sendable () -> Int? = { nil }
    ) {
        self.remarksAreSeen = remarksAreSeen
        self.movesCursor = movesCursor
        self.usesColour = usesColour
        self.size = size
        self.remarkColumns = remarkColumns
    }

    /// What two descriptors of this process are, by its environment.
    package static func of(results: Int32, remarks: Int32) -> TerminalCapabilities {
        let isTerminal = isatty(results) == 1
        let remarksAreSeen = isatty(remarks) == 1
        let type = ProcessEnvironment.value(of: "TERM")
        let movesCursor = isTerminal && type != nil && type != "dumb"
        return TerminalCapabilities(
            remarksAreSeen: remarksAreSeen, movesCursor: movesCursor,
            // `NO_COLOR` switches colours off, whatever its value (no-color.org).
            usesColour: movesCursor && ProcessEnvironment.value(of: "NO_COLOR") == nil,
            size: { isTerminal ? .of(results) : nil },
            remarkColumns: { remarksAreSeen ? TerminalSize.of(remarks).columns : nil })
    }
}

/// The size of a terminal.
package struct TerminalSize: Hashable, Sendable {
    /// Characters on a line.
    package let columns: Int
    /// Lines on the screen.
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size of a terminal, by the environment where it does not know its own.
    package static func of(_ terminal: Int32) -> TerminalSize {
        var size = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return TerminalSize(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
        }
        return TerminalSize(
            columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    private static func number(_ variable: String) -> Int? {
        ProcessEnvironment.value(of: variable).flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    }
}
