/// How results are laid out: for a terminal, or for a file or another program.
package struct Layout: Hashable, Sendable {
    /// The columns of the terminal; `nil` where nothing is cut.
    package var width: Int?
    /// Whether colours are used.
    package var usesColour = false

    /// For a file or another program: whole texts, no colours.
    package static let plain = Layout()

    package init(width: Int? = nil, usesColour: Bool = false) {
        self.width = width
        self.usesColour = usesColour
    }

    /// A text in the colour of its meaning; on a terminal it does not reorder what stands beside it.
    package func paint(_ text: String, _ tone: Tone) -> String {
        let text = width == nil ? text : text.isolated
        guard usesColour, let code = tone.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// A text cut to the width, where there is one.
    package func fitted(_ text: String) -> String { width.map { text.fitted(to: $0) } ?? text }
}

/// What a text means for the reader.
///
/// Each tone is one of the eight basic colours, or bold or dim, which terminals show readably on
/// light and dark backgrounds. Yellow is not among them: it cannot be read on white.
package enum Tone: Hashable, Sendable {
    /// Nothing special.
    case plain
    /// A title.
    case title
    /// As it should be: online, succeeded.
    case good
    /// As it should not be: offline, failed.
    case bad
    /// Not known, or not decided.
    case doubtful
    /// Seldom needed: ids.
    case faint

    /// The parameter of the control sequence SGR (ECMA-48).
    fileprivate var code: String? {
        switch self {
        case .plain: nil
        case .title: "1"
        case .good: "32"
        case .bad: "31"
        case .doubtful: "35"
        case .faint: "2"
        }
    }
}
