/// Lines on a terminal that are redrawn in place.
package struct ScreenRegion: Sendable {
    private enum State {
        case empty
        case drawn(lines: [String], size: TerminalSize)
    }

    private var state = State.empty

    package init() {}

    /// The characters that put these lines in the place of those drawn before.
    ///
    /// Lines that left the screen cannot be reached any more, so never more are drawn than fit.
    package mutating func frame(_ lines: [String], in size: TerminalSize) -> String {
        let lines = Self.cut(lines, to: size)
        let start: String
        switch state {
        case .drawn(lines, size): return ""
        case .empty, .drawn([], size): start = ""
        case .drawn(let former, size): start = "\u{1B}[\(former.count)A"
        // A terminal that was resized may have broken the lines anew: it is cleared.
        case .drawn: start = "\u{1B}[H\u{1B}[2J"
        }
        state = .drawn(lines: lines, size: size)
        // Cleared before and not behind the text: behind a full line the cursor is still in it.
        return start + lines.map { "\r\u{1B}[2K\($0)\n" }.joined() + "\u{1B}[J"
    }

    private static func cut(_ lines: [String], to size: TerminalSize) -> [String] {
        let limit = size.rows - 1
        guard lines.count > limit, limit > 0 else { return lines }
        let hidden = lines.count - limit + 1
        let remark = "… \(hidden) more: enlarge the terminal, or use --kind or --where"
        return lines.prefix(limit - 1) + [remark.fitted(to: size.columns)]
    }
}
