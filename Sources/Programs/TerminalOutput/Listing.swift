internal import DeviceMessages

/// A list: its columns, and of each thing in it a name, its cells and an object. From these comes every form in which
/// programs print lists.
package struct Listing: Sendable {
    /// One thing in the list.
    package struct Row: Sendable {
        /// What other calls name it by.
        let name: String
        /// A cell for every column.
        let cells: @Sendable () -> [TextTable.Cell]
        /// All that is said of it in JSON.
        let object: @Sendable () -> JSONLine

        package init(
            _ name: String, cells: @escaping @Sendable () -> [TextTable.Cell],
            object: @escaping @Sendable () -> JSONLine
        ) {
            self.name = name
            self.cells = cells
            self.object = object
        }
    }

    /// Every column that the list can show.
    package let columns: [TextTable.Column]
    /// What is listed, in its usual order.
    package let rows: [Row]

    package init(_ columns: [TextTable.Column], _ rows: [Row]) {
        self.columns = columns
        self.rows = rows
    }

    /// The lines of the list; none for people where it is empty.
    package func lines(_ style: ListStyle, in layout: Layout) -> [String] {
        switch style.form {
        case .table, .wide: return rows.isEmpty ? [] : table(style).lines(in: layout)
        case .name: return sorted(by: style).map(\.row.name.printable)
        case .json: return sorted(by: style).map { $0.row.object().text }
        case .yaml:
            return rows.isEmpty ? ["[]"] : sorted(by: style).flatMap { $0.row.object().yamlLines }
        }
    }

    /// The list as a table.
    package func table(_ style: ListStyle) -> TextTable {
        let rows = sorted(by: style).map { $0.cells ?? $0.row.cells() }
        let shown = places(style, rows)
        var table = TextTable(
            shown.map { index in
                var column = columns[index]
                if style.showsAll { column.omission = 0 }
                return column
            })
        for row in rows { table.add(shown.map { row[$0] }) }
        return table
    }

    /// Which of the columns are shown, in order.
    package func places(_ style: ListStyle) -> [Int] { places(style, rows.map { $0.cells() }) }

    private func places(_ style: ListStyle, _ rows: [[TextTable.Cell]]) -> [Int] {
        if let chosen = style.columns { return chosen }
        return columns.indices.filter { index in
            switch columns[index].shown {
            case .always: true
            case .wide: style.form == .wide
            case .whereKnown: rows.contains { !$0[index].isAbsent }
            }
        }
    }

    private func sorted(by style: ListStyle) -> [(row: Row, cells: [TextTable.Cell]?)] {
        guard let sorting = style.sorting else { return rows.map { ($0, nil) } }
        let all = rows.map { (row: $0, cells: $0.cells()) }
        // As they were where nothing else tells them apart.
        let order = all.indices.sorted { left, right in
            let (one, other) = (all[left].cells[sorting.column], all[right].cells[sorting.column])
            if one.isAbsent != other.isAbsent { return other.isAbsent }
            if sorting.isDescending ? other.precedes(one) : one.precedes(other) { return true }
            if sorting.isDescending ? one.precedes(other) : other.precedes(one) { return false }
            return left < right
        }
        return order.map { (all[$0].row, all[$0].cells) }
    }
}

extension TextTable.Cell {
    /// What stands where there is no value.
    package static let absent = TextTable.Cell("–")

    /// Whether there is no value.
    fileprivate var isAbsent: Bool { text == Self.absent.text || text.isEmpty }

    /// Whether it comes before another one: by its number where it has one, else as people count.
    fileprivate func precedes(_ other: TextTable.Cell) -> Bool {
        if let order, let otherOrder = other.order { return order < otherOrder }
        return text.naturallyPrecedes(other.text)
    }
}

extension String {
    /// Whether this comes before `other` where people count: `pool-2` before `pool-10`.
    package func naturallyPrecedes(_ other: String) -> Bool {
        let (stem, number) = numbered
        let (otherStem, otherNumber) = other.numbered
        return stem == otherStem && number != otherNumber ? number < otherNumber : self < other
    }

    private var numbered: (stem: Substring, number: Int) {
        let digits = reversed().prefix { ("0"..."9").contains($0) }.count
        return (dropLast(digits), Int(suffix(digits)) ?? -1)
    }
}
