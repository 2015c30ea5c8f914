extension String {
    /// What a shortened text ends with; one column wide.
    private static let ellipsis: Character = "…"
    /// Scalars of one character that are kept: more marks than any script needs would be drawn over
    /// the lines around it.
    private static let scalarLimit = 16

    /// The text in at most `width` columns, with an ellipsis where something was left out.
    package func fitted(to width: Int) -> String {
        guard width > 0 else { return "" }
        let head = Substring(self).head(width)
        guard head.rest < endIndex else { return head.text }
        return Substring(self).head(width - 1).text + String(Self.ellipsis)
    }

    /// The text in lines of at most `width` columns, broken at blanks where that is possible.
    /// - Parameter limit: how many lines there are at most; the last one then ends with an ellipsis.
    package func wrapped(to width: Int, limit: Int) -> [String] {
        var rest = self[...]
        var lines: [String] = []
        while !rest.isEmpty, lines.count < limit {
            if lines.count == limit - 1 {
                lines.append(String(rest).fitted(to: width))
                break
            }
            let (line, next) = rest.firstLine(width)
            lines.append(line)
            rest = self[next...].drop { $0 == " " }
        }
        return lines
    }

    /// The text with blanks up to a width.
    package func padded(to width: Int) -> String { self + String.blanks(width - columns) }

    /// So many blanks; none for a negative number.
    package static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: Swift.max(count, 0))
    }

    fileprivate static func limited(_ character: Character) -> String {
        guard character.unicodeScalars.count > scalarLimit else { return String(character) }
        return String(String.UnicodeScalarView(character.unicodeScalars.prefix(scalarLimit)))
    }
}

extension Substring {
    /// As much of the beginning as fits into `width` columns, and where the rest begins.
    fileprivate func head(_ width: Int) -> (text: String, rest: Index) {
        var text = ""
        var free = width
        var index = startIndex
        while index < endIndex {
            let character = self[index]
            guard character.columns <= free else { break }
            free -= character.columns
            text += String.limited(character)
            formIndex(after: &index)
        }
        return (text, index)
    }

    /// A line of at most `width` columns, at least one character long, and where the rest begins:
    /// behind a blank, else behind a comma or bar, else where the line is full.
    fileprivate func firstLine(_ width: Int) -> (text: String, rest: Index) {
        let width = Swift.max(width, 1)
        let head = head(width)
        if head.rest == endIndex || self[head.rest] == " " { return head }
        guard head.rest > startIndex else {
            return (String.limited(self[startIndex]), index(after: startIndex))
        }
        let full = self[..<head.rest]
        if let blank = full.lastIndex(of: " "), blank > startIndex {
            return (self[..<blank].head(width).text, index(after: blank))
        }
        if let mark = full.lastIndex(where: { $0 == "," || $0 == "|" }) {
            let next = index(after: mark)
            return (self[..<next].head(width).text, next)
        }
        return head
    }
}
