package import DeviceDomain
internal import DeviceMessages

/// A row that a query of whatever database has found. Its columns are numbered from 0, in the order of the query.
package protocol StoredRow {
    /// A whole number; `nil` for a null.
    func integer(_ column: Int) -> Int?
    /// A number; `nil` for a null.
    func real(_ column: Int) -> Double?
    /// A text; `nil` for a null.
    func text(_ column: Int) -> String?
    /// Bytes; `nil` for a null.
    func bytes(_ column: Int) -> [UInt8]?
    /// A truth value; `nil` for a null.
    func flag(_ column: Int) -> Bool?
}

/// Reads the columns of a row in their order. By their names a database would look through all of them.
package struct ColumnReader<Row: StoredRow> {
    private let row: Row
    private var position = 0

    /// A reader before the first column.
    package init(_ row: Row) { self.row = row }

    // MARK: What is always there

    /// - Throws: ``DamagedColumn`` for a null, as all of these.
    package mutating func integer(_ name: String) throws -> Int {
        try StoredValue.required(integerIfAny(), name)
    }

    package mutating func real(_ name: String) throws -> Double {
        try StoredValue.required(realIfAny(), name)
    }

    package mutating func text(_ name: String) throws -> String {
        try StoredValue.required(textIfAny(), name)
    }

    package mutating func bytes(_ name: String) throws -> [UInt8] {
        try StoredValue.required(bytesIfAny(), name)
    }

    package mutating func flag(_ name: String) throws -> Bool {
        try StoredValue.required(row.flag(next()), name)
    }

    /// A JSON object.
    package mutating func object(_ name: String) throws -> JSONObject {
        try StoredValue.required(JSONObject(stored: bytes(name)), name)
    }

    /// A moment in milliseconds.
    package mutating func moment(_ name: String) throws -> Timestamp {
        Timestamp(milliseconds: try integer(name))
    }

    // MARK: What may be a null

    package mutating func integerIfAny() -> Int? { row.integer(next()) }

    package mutating func realIfAny() -> Double? { row.real(next()) }

    package mutating func textIfAny() -> String? { row.text(next()) }

    package mutating func bytesIfAny() -> [UInt8]? { row.bytes(next()) }

    package mutating func flagIfAny() -> Bool? { row.flag(next()) }

    package mutating func momentIfAny() -> Timestamp? {
        integerIfAny().map(Timestamp.init(milliseconds:))
    }

    private mutating func next() -> Int {
        defer { position += 1 }
        return position
    }
}
