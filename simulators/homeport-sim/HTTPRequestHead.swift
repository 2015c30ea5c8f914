/// The head of an HTTP/1 request as far as it has come.
struct HTTPRequestHead: Sendable {
    /// The largest head in bytes; a longer one is cut off and answered as it is.
    static let limit = 8_192

    private var received: [UInt8] = []

    /// Adds what has come.
    mutating func append(_ bytes: [UInt8]) {
        received += bytes
    }

    /// Whether the blank line at the end of the head, or the limit, was reached.
    var isComplete: Bool {
        received.count >= Self.limit || text.contains("\r\n\r\n") || text.contains("\n\n")
    }

    /// `GET` in `GET /ready HTTP/1.1`, nil where that is no request line.
    var method: String? { line.map { String($0[0]) } }

    /// The path without its query, nil where there is no request line.
    var path: String? { line.map { String($0[1].prefix { $0 != "?" }) } }

    private var text: String { String(decoding: received, as: UTF8.self) }

    private var line: [Substring]? {
        let words = text.prefix { !$0.isNewline }.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        return words
    }
}
