/// Rows of text in columns, as wide as their content.
struct TextTable: Sendable {
    /// The titles of the columns.
    let titles: [String]
    /// The cells, row by row.
    private(set) var rows: [[String]] = []

    init(titles: [String]) { self.titles = titles }

    /// Adds a row; a cell that is missing stays empty.
    mutating func add(_ cells: [String]) { rows.append(cells.map(\.printable)) }

    /// The lines, titles first, two blanks between columns.
    var lines: [String] {
        let table = [titles] + rows
        let widths = titles.indices.map { column in
            table.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0
        }
        return table.map { Self.line($0, widths) }
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (cell, width) in zip(cells, widths) {
            line += cell + String(repeating: " ", count: width - cell.columns + 2)
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
