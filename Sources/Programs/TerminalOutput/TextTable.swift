internal import DeviceMessages

/// Rows of text in columns, fitted to the width of a terminal where there is one.
package struct TextTable: Sendable {
    /// A column.
    package struct Column: Hashable, Sendable {
        /// What stands above it.
        package let title: String
        /// Whether the cells stand at its right edge, as numbers do.
        package var isNumeric = false
        /// What happens to a cell where the terminal is too narrow.
        package var fitting = Fitting.whole
        /// Whether it may go to lines of its own below the row.
        package var goesBelow = false
        /// Columns of a higher rank are left out first; those of rank 0 never.
        package var omission = 0
        /// When a list shows it.
        package var shown = Shown.always

        package init(
            _ title: String, isNumeric: Bool = false, _ fitting: Fitting = .whole,
            goesBelow: Bool = false, omission: Int = 0, shown: Shown = .always
        ) {
            self.title = title
            self.isNumeric = isNumeric
            self.fitting = fitting
            self.goesBelow = goesBelow
            self.omission = omission
            self.shown = shown
        }
    }

    /// When a list shows a column that nobody asked for.
    package enum Shown: Hashable, Sendable {
        /// In every table.
        case always
        /// Where one of the rows has a value.
        case whereKnown
        /// In the wide table.
        case wide
    }

    /// What happens to a cell where the terminal is too narrow.
    package enum Fitting: Hashable, Sendable {
        /// It stays whole.
        case whole
        /// It is cut to no less than so many columns.
        case cut(minimum: Int)
        /// It is broken into lines of no less than so many columns.
        case wrapped(minimum: Int)
    }

    /// A cell.
    package struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// What stands there; nothing in it steers a terminal.
        package let text: String
        /// What it means.
        package let tone: Tone
        /// What it is sorted by; `nil` for its text.
        package let order: Double?

        package init(_ text: String, _ tone: Tone = .plain, order: Double? = nil) {
            self.text = text.printable
            self.tone = tone
            self.order = order
        }

        package init(stringLiteral text: String) { self.init(text) }
    }

    /// Its columns.
    package let columns: [Column]
    /// The cells, row by row.
    package private(set) var rows: [[Cell]] = []

    package init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with a cell for every column.
    package mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has a cell for every column")
        rows.append(cells)
    }

    /// The lines, titles first.
    /// - Parameter indent: how many blanks each line begins with.
    package func lines(in layout: Layout, indent: Int = 0) -> [String] {
        let plan = plan(in: layout, indent: indent)
        return [plan.titles(of: columns)] + rows.flatMap(plan.lines(of:))
    }

    /// Where the cells go in such a layout.
    package func plan(in layout: Layout, indent: Int = 0) -> TablePlan {
        TablePlan(for: self, in: layout, indent: indent)
    }
}
