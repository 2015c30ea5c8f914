internal import DeviceDomain
internal import DeviceMessages
internal import LedgerRows

/// A statement with its values, `$1` and so on.
struct PostgresStatement: Sendable {
    let sql: String
    let values: [PostgresValue]

    init(_ sql: String, _ values: [PostgresValue] = []) {
        self.sql = sql
        self.values = values
    }

    /// A statement with the values of columns.
    init(_ sql: String, columns values: [ColumnValue]) {
        self.init(sql, values.map(PostgresValue.init))
    }
}

/// A value of a statement, in a form that the server reads without escapes.
struct PostgresValue: Sendable {
    /// What is sent; `nil` for a null.
    let bytes: [UInt8]?
    /// Whether the bytes are in the binary form of their type. That of a text is its UTF-8, and it is that of `bytea`
    /// too.
    let isBinary: Bool

    private init(_ bytes: [UInt8]?, isBinary: Bool) {
        self.bytes = bytes
        self.isBinary = isBinary
    }

    init(_ value: ColumnValue) {
        switch value {
        case .null: self.init(nil, isBinary: false)
        case .integer(let number): self.init(Array("\(number)".utf8), isBinary: false)
        case .real(let number): self.init(Array("\(number)".utf8), isBinary: false)
        case .text(let text): self.init(Array(text.utf8), isBinary: true)
        case .bytes(let bytes): self.init(bytes, isBinary: true)
        case .flag(let flag): self.init(Array(flag ? "t".utf8 : "f".utf8), isBinary: false)
        }
    }

    static func integer(_ number: Int) -> PostgresValue { PostgresValue(.integer(number)) }

    static func text(_ text: String) -> PostgresValue { PostgresValue(.text(text)) }

    static func bytes(_ bytes: [UInt8]) -> PostgresValue { PostgresValue(.bytes(bytes)) }

    static func moment(_ moment: Timestamp) -> PostgresValue { PostgresValue(.moment(moment)) }

    /// A number of a type whose binary form is not that of a text.
    static func digits(_ text: String) -> PostgresValue {
        PostgresValue(Array(text.utf8), isBinary: false)
    }

    // MARK: Arrays

    /// An array of type `text[]`.
    static func texts(_ texts: some Collection<String>) -> PostgresValue {
        array(of: PostgresType.text, texts.map { Array($0.utf8) })
    }

    /// An array of type `bytea[]`.
    static func allBytes(_ values: some Collection<[UInt8]>) -> PostgresValue {
        array(of: PostgresType.bytes, Array(values))
    }

    /// An array of type `json[]`, of documents as they are written.
    static func documents(_ values: some Collection<[UInt8]>) -> PostgresValue {
        array(of: PostgresType.json, Array(values))
    }

    /// An array of type `bigint[]`.
    static func integers(_ numbers: some Collection<Int>) -> PostgresValue {
        array(of: PostgresType.bigInteger, numbers.map { bigEndian(UInt64(bitPattern: Int64($0))) })
    }

    /// The binary form of arrays: dimensions, whether there are nulls, the type, size and first index of the dimension,
    /// then each element behind its length.
    private static func array(of type: UInt32, _ elements: [[UInt8]]) -> PostgresValue {
        var bytes: [UInt8] = []
        let head: [UInt32] =
            elements.isEmpty ? [0, 0, type] : [1, 0, type, UInt32(elements.count), 1]
        for number in head { bytes += bigEndian(number) }
        for element in elements { bytes += bigEndian(UInt32(element.count)) + element }
        return PostgresValue(bytes, isBinary: true)
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

/// Types of columns, as PostgreSQL numbers them in `pg_type`.
enum PostgresType {
    static let flag: UInt32 = 16
    static let bytes: UInt32 = 17
    static let bigInteger: UInt32 = 20
    static let integer: UInt32 = 23
    static let text: UInt32 = 25
    static let json: UInt32 = 114
    static let real: UInt32 = 701
}
