import Glibc

extension Console {
    /// How results are laid out now: the user may have resized the terminal.
    var layout: Layout {
        Layout(width: terminalSize?.columns, usesColour: usesColour)
    }

    /// The size of the terminal that stdout is; `nil` for a file or pipe.
    var terminalSize: TerminalSize? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(results, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return TerminalSize(
                columns: Self.number("COLUMNS") ?? 80, rows: Self.number("LINES") ?? 24)
        }
        return TerminalSize(
            columns: Int(size.ws_col), rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Whether stdout is a terminal that knows control sequences.
    var movesCursor: Bool {
        guard isTerminal, let type = Environment.value(of: "TERM") else { return false }
        return type != "dumb"
    }

    /// `NO_COLOR` switches colours off, whatever its value (no-color.org).
    private var usesColour: Bool { movesCursor && Environment.value(of: "NO_COLOR") == nil }

    private static func number(_ variable: String) -> Int? {
        Environment.value(of: variable).flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    }
}

/// The size of a terminal.
struct TerminalSize: Hashable, Sendable {
    /// Characters on a line.
    let columns: Int
    /// Lines on the screen.
    let rows: Int
}
