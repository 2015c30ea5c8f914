internal import CPostgreSQL
internal import LedgerRows

/// What a statement came to: rows, or how many it has changed.
///
/// The pointer never changes, what it points to neither, and this object frees it.
final class PostgresRows: @unchecked Sendable {
    private let result: OpaquePointer
    let count: Int
    private let width: Int

    /// Takes over a result.
    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(cpostgresql_row_count(result))
        width = Int(cpostgresql_column_count(result))
    }

    deinit { cpostgresql_clear(result) }

    /// How many rows the statement has changed, or found.
    var changed: Int { Int(cpostgresql_changed(result)) }

    /// Every row.
    var rows: some Sequence<PostgresRow> {
        (0..<count).lazy.map { PostgresRow(rows: self, number: $0) }
    }

    /// The first row, if there is one.
    var first: PostgresRow? { count > 0 ? PostgresRow(rows: self, number: 0) : nil }

    /// The last row, if there is one.
    var last: PostgresRow? { count > 0 ? PostgresRow(rows: self, number: count - 1) : nil }

    /// The bytes of a column; `nil` for a null, and where there is no such column.
    fileprivate func withValue<Value>(
        _ row: Int, _ column: Int, _ read: (UInt32, UnsafeRawBufferPointer) -> Value?
    ) -> Value? {
        guard (0..<count).contains(row), (0..<width).contains(column) else { return nil }
        var length: Int32 = 0
        guard
            let value = cpostgresql_value(result, Int32(row), Int32(column), &length), length >= 0
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: value, count: Int(length))
        return read(cpostgresql_type(result, Int32(column)), bytes)
    }
}

/// A row of PostgreSQL, whose values came in binary form.
struct PostgresRow: StoredRow {
    fileprivate let rows: PostgresRows
    fileprivate let number: Int

    func integer(_ column: Int) -> Int? {
        rows.withValue(number, column) { type, bytes in
            switch (type, bytes.count) {
            case (PostgresType.bigInteger, 8):
                Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
            case (PostgresType.integer, 4):
                Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            default: nil
            }
        }
    }

    func real(_ column: Int) -> Double? {
        rows.withValue(number, column) { type, bytes in
            guard type == PostgresType.real, bytes.count == 8 else { return nil }
            return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        }
    }

    func text(_ column: Int) -> String? {
        rows.withValue(number, column) { _, bytes in String(decoding: bytes, as: UTF8.self) }
    }

    func bytes(_ column: Int) -> [UInt8]? {
        rows.withValue(number, column) { _, bytes in Array(bytes) }
    }

    func flag(_ column: Int) -> Bool? {
        rows.withValue(number, column) { type, bytes in
            type == PostgresType.flag ? bytes.first.map { $0 != 0 } : nil
        }
    }
}
