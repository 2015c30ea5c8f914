/// Takes a file apart, most significant byte first.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Whether nothing is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next bytes.
    mutating func bytes(_ count: Int) throws(DamagedContents) -> [UInt8] {
        guard count <= rest.count else { throw DamagedContents() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// A number of so many bytes.
    mutating func number(_ count: Int) throws(DamagedContents) -> UInt64 {
        try bytes(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A text with its length in front.
    mutating func text() throws(DamagedContents) -> String {
        let bytes = try bytes(Int(number(2)))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw DamagedContents() }
        return text
    }
}

/// A file is not as it was written.
struct DamagedContents: Error {}

extension [UInt8] {
    /// Adds a number of so many bytes, most significant byte first.
    mutating func append(_ number: UInt64, bytes count: Int) {
        for index in (0..<count).reversed() {
            append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))))
        }
    }

    /// Adds a text with its length in front.
    mutating func append(text: String) {
        append(UInt64(text.utf8.count), bytes: 2)
        append(contentsOf: text.utf8)
    }
}
