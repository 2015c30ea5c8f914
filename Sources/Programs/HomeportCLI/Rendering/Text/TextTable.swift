/// Rows of text in columns, fitted to the width of a terminal where there is one.
struct TextTable: Sendable {
    /// A column.
    struct Column: Hashable, Sendable {
        /// What stands above it.
        let title: String
        /// Whether the cells stand at its right edge, as numbers do.
        var isNumeric = false
        /// What happens to a cell where the terminal is too narrow.
        var fitting = Fitting.whole
        /// Whether it may go to lines of its own below the row.
        var goesBelow = false
        /// Columns of a higher rank are left out first; those of rank 0 never.
        var omission = 0

        init(
            _ title: String, isNumeric: Bool = false, _ fitting: Fitting = .whole,
            goesBelow: Bool = false, omission: Int = 0
        ) {
            self.title = title
            self.isNumeric = isNumeric
            self.fitting = fitting
            self.goesBelow = goesBelow
            self.omission = omission
        }
    }

    /// What happens to a cell where the terminal is too narrow.
    enum Fitting: Hashable, Sendable {
        /// It stays whole.
        case whole
        /// It is cut to no less than so many columns.
        case cut(minimum: Int)
        /// It is broken into lines of no less than so many columns.
        case wrapped(minimum: Int)
    }

    /// A cell.
    struct Cell: Hashable, Sendable, ExpressibleByStringInterpolation {
        /// What stands there; nothing in it steers a terminal.
        let text: String
        /// What it means.
        let tone: Tone

        init(_ text: String, _ tone: Tone = .plain) {
            self.text = text.printable
            self.tone = tone
        }

        init(stringLiteral text: String) { self.init(text) }
    }

    /// Its columns.
    let columns: [Column]
    /// The cells, row by row.
    private(set) var rows: [[Cell]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row with a cell for every column.
    mutating func add(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has a cell for every column")
        rows.append(cells)
    }

    /// The lines, titles first.
    /// - Parameter indent: how many blanks each line begins with.
    func lines(in layout: Layout, indent: Int = 0) -> [String] {
        let plan = plan(in: layout, indent: indent)
        return [plan.titles(of: columns)] + rows.flatMap(plan.lines(of:))
    }

    /// Where the cells go in such a layout.
    func plan(in layout: Layout, indent: Int = 0) -> TablePlan {
        TablePlan(for: self, in: layout, indent: indent)
    }
}
