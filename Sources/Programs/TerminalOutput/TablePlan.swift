/// Where the cells of a table go: the widths of the columns, and what is shown below the rows.
///
/// Where the terminal is too narrow, columns are first shortened or broken into lines, then moved
/// below the row, then left out. Where even that does not suffice, the last ones go below the row, each with
/// its title: a date or a name that is cut tells nothing.
package struct TablePlan: Sendable {
    /// A column beside others.
    fileprivate struct Place: Sendable {
        let index: Int
        let column: TextTable.Column
        var width: Int
        var minimum: Int
    }

    /// A column below the row.
    fileprivate struct Below: Sendable {
        let index: Int
        /// What stands before the cell; empty where the cell tells by itself what it is.
        var title = ""
    }

    /// Blanks between columns.
    private static let gap = 2
    /// Without a terminal a column is at most so wide that the cells behind a longer one stand out of
    /// line: otherwise one name of 50 kB would pad every row.
    private static let widestPadding = 64
    /// Lines that one cell may take.
    private static let lineLimit = 8

    private var places: [Place] = []
    private var below: [Below] = []
    private let layout: Layout
    private let indent: Int

    package init(for table: TextTable, in layout: Layout, indent: Int) {
        self.layout = layout
        self.indent = indent
        let natural = table.columns.indices.map { index in
            Place(
                index, table.columns[index],
                content: table.rows.map { $0[index].text.columns }.max() ?? 0)
        }
        guard let width = layout.width else {
            places = natural.map { $0.shrunk(to: Self.widestPadding) }
            return
        }
        let free = width - indent
        let arrangements = Self.arrangements(natural)
        let fitting = arrangements.first { arrangement in
            Self.total(arrangement.places.map { $0.minimum }) <= free
        }
        guard let chosen = fitting ?? arrangements.last else { return }
        places = Self.shrunk(chosen.places, to: free)
        below = chosen.below
    }

    /// The titles.
    package func titles(of columns: [TextTable.Column]) -> String {
        line(
            places.map { place in
                let title = place.column.title
                return (layout.width == nil ? title : title.fitted(to: place.width), .title)
            })
    }

    /// The lines of one row.
    package func lines(of row: [TextTable.Cell]) -> [String] {
        let cells = places.map { lines(of: row[$0.index], in: $0) }
        let height = cells.map(\.count).max() ?? 0
        let inColumns = (0..<height).map { number in
            line(
                zip(places, cells).map { place, parts in
                    (number < parts.count ? parts[number] : "", row[place.index].tone)
                })
        }
        return inColumns + linesBelow(row)
    }

    private func lines(of cell: TextTable.Cell, in place: Place) -> [String] {
        guard layout.width != nil else { return [cell.text] }
        return switch place.column.fitting {
        case .whole, .cut: [cell.text.fitted(to: place.width)]
        case .wrapped: cell.text.wrapped(to: place.width, limit: Self.lineLimit)
        }
    }

    /// Each cell in its column, without blanks at the end.
    private func line(_ cells: [(text: String, tone: Tone)]) -> String {
        var line = String.blanks(indent)
        var blanks = 0
        for (place, cell) in zip(places, cells) {
            let free = max(place.width - cell.text.columns, 0)
            if !cell.text.isEmpty {
                line += String.blanks(blanks + (place.column.isNumeric ? free : 0))
                line += layout.paint(cell.text, cell.tone)
                blanks = (place.column.isNumeric ? 0 : free) + Self.gap
            } else {
                blanks += free + Self.gap
            }
        }
        return line
    }

    /// The cells that have no column, as many on a line as fit.
    private func linesBelow(_ row: [TextTable.Cell]) -> [String] {
        guard let width = layout.width else { return [] }
        let start = indent + 4
        var lines: [String] = []
        var used = Int.max
        for place in below where !row[place.index].text.isEmpty && row[place.index].text != "–" {
            let cell = TextTable.Cell(place.title + row[place.index].text, row[place.index].tone)
            if used < width, used + Self.gap + cell.text.columns <= width {
                lines[lines.count - 1] += .blanks(Self.gap) + layout.paint(cell.text, cell.tone)
                used += Self.gap + cell.text.columns
                continue
            }
            let parts = cell.text.wrapped(to: width - start, limit: Self.lineLimit)
            lines += parts.map { .blanks(start) + layout.paint($0, cell.tone) }
            used = start + (parts.last?.columns ?? 0)
        }
        return lines
    }
}

extension TablePlan {
    /// The arrangements to try: everything in columns; then more and more of the last columns below;
    /// then fewer and fewer columns; then more and more of the others below, with their titles.
    private static func arrangements(_ all: [Place]) -> [(places: [Place], below: [Below])] {
        var attempts = [(places: all, below: [Below]())]
        while let last = attempts[attempts.count - 1].places.last(where: \.column.goesBelow) {
            let (places, below) = attempts[attempts.count - 1]
            attempts.append(
                (places.filter { $0.index != last.index }, [Below(index: last.index)] + below))
        }
        let ranks = Set(all.map(\.column.omission)).subtracting([0]).sorted(by: >)
        for rank in ranks {
            let (places, below) = attempts[attempts.count - 1]
            attempts.append((places.filter { $0.column.omission != rank }, below))
        }
        while let last = attempts[attempts.count - 1].places.dropFirst().last {
            let (places, below) = attempts[attempts.count - 1]
            let title = last.column.title.isEmpty ? "" : "\(last.column.title.lowercased()) "
            attempts.append((places.dropLast(), [Below(index: last.index, title: title)] + below))
        }
        return attempts
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + gap * max(widths.count - 1, 0)
    }

    /// Takes columns from the widest place until all of them fit; where the minimal widths do not
    /// fit either, from any place, and leaves out the last ones.
    private static func shrunk(_ places: [Place], to free: Int) -> [Place] {
        var places = places.map { $0.shrunk(to: free) }
        while total(places.map(\.width)) > free {
            let flexible = places.indices.filter { places[$0].width > places[$0].minimum }
            let candidates =
                flexible.isEmpty ? places.indices.filter { places[$0].width > 1 } : flexible
            if let widest = candidates.max(by: { places[$0].width < places[$1].width }) {
                places[widest].width -= 1
            } else {
                guard places.count > 1 else { return places }
                places.removeLast()
            }
        }
        return places
    }
}

extension TablePlan.Place {
    fileprivate init(_ index: Int, _ column: TextTable.Column, content: Int) {
        let natural = max(content, column.title.columns)
        let minimum =
            switch column.fitting {
            case .whole: natural
            case .cut(let minimum), .wrapped(let minimum):
                min(natural, max(minimum, column.title.columns))
            }
        self.init(index: index, column: column, width: natural, minimum: minimum)
    }

    fileprivate func shrunk(to limit: Int) -> Self {
        var place = self
        place.width = min(width, max(limit, 1))
        return place
    }
}
