internal import FoundationEssentials
internal import GRDB
internal import LedgerRows

/// A row of SQLite.
struct SQLiteRow: StoredRow {
    private let row: Row

    init(_ row: Row) { self.row = row }

    func integer(_ column: Int) -> Int? { row[column] }

    func real(_ column: Int) -> Double? { row[column] }

    func text(_ column: Int) -> String? { row[column] }

    func bytes(_ column: Int) -> [UInt8]? { (row[column] as Blob?)?.bytes }

    func flag(_ column: Int) -> Bool? { row[column] }
}

extension CommandRow {
    /// Reads rows and leaves out those that only a newer version understands.
    static func readable(_ rows: RowCursor, limit: Int) throws -> [CommandRow] {
        var found: [CommandRow] = []
        while found.count < limit, let row = try rows.next() {
            if let readable = try ifReadable(SQLiteRow(row)) { found.append(readable) }
        }
        return found
    }
}

extension StatementArguments {
    /// The values of columns, in their order.
    init(_ values: [ColumnValue]) { self.init(values.map(\.databaseValue)) }
}

extension ColumnValue {
    /// As SQLite has it.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        case .flag(let flag): flag.databaseValue
        }
    }
}

/// Columns as a query or an insertion names them.
func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }

/// As many marks for values as there are columns.
func marks(for columns: [String]) -> String { columns.map { _ in "?" }.joined(separator: ", ") }
