/// Cuts what comes over a socket into lines, however its bytes come.
struct LineReader: Sendable {
    /// The longest line, in bytes without its end.
    private let limit: Int
    private var rest: ArraySlice<UInt8> = []

    init(limit: Int) { self.limit = limit }

    /// Whether nothing follows the lines that were taken.
    var isEmpty: Bool { rest.isEmpty }

    /// Adds bytes.
    mutating func append(_ bytes: [UInt8]) { rest += bytes }

    /// Takes the next whole line, without its end; `nil` while more of it must come.
    /// - Throws: ``LocalServicesError`` `malformed` for a line that is too long; nothing more can be read
    ///   then.
    mutating func next() throws(LocalServicesError) -> [UInt8]? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        guard end.map({ $0 - rest.startIndex }) ?? rest.count <= limit else {
            throw LocalServicesError(.malformed, "a line is longer than \(limit) bytes")
        }
        guard let end else { return nil }
        defer { rest = rest[(end + 1)...] }
        return Array(rest[..<end])
    }
}
