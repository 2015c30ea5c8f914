/// One request of HTTP/1.1 as far as it has come: a POST with a body of at most 4 KiB, as provisioning sends it.
package struct HTTPPost: Sendable {
    /// What is known of a request.
    package enum Progress: Hashable, Sendable {
        /// More has to come.
        case incomplete
        /// A whole request.
        case complete(Request)
        /// Something else; the connection has to be closed after an answer with this status.
        case refused(HTTPStatus)
    }

    /// A whole request.
    package struct Request: Hashable, Sendable {
        /// The path, without the first slash and without a query.
        package let path: String
        /// The number of the cookie `session`.
        package let session: Int?
        /// The body.
        package let body: [UInt8]
        /// Whether the connection stays for another request.
        package let keepsConnection: Bool
    }

    /// The largest head, in bytes.
    private static let largestHead = 4096
    /// The largest body, in bytes.
    private let largestBody: Int

    private var received: [UInt8] = []

    package init(largestBody: Int) { self.largestBody = largestBody }

    /// Adds what has come.
    package mutating func append(_ bytes: [UInt8]) { received += bytes }

    /// What is known; a whole request is taken out, so that the next one follows.
    package mutating func next() -> Progress {
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else {
            return received.count > Self.largestHead ? .refused(.headTooLarge) : .incomplete
        }
        guard end.lowerBound <= Self.largestHead else { return .refused(.headTooLarge) }
        guard let head = Head(received[..<end.lowerBound]) else { return .refused(.badRequest) }
        guard head.method == "POST" else { return .refused(.methodNotAllowed) }
        guard let length = head.length else { return .refused(.lengthRequired) }
        guard length <= largestBody else { return .refused(.bodyTooLarge) }
        guard received.count - end.upperBound >= length else { return .incomplete }
        let body = Array(received[end.upperBound...].prefix(length))
        received.removeFirst(end.upperBound + length)
        return .complete(
            Request(
                path: head.path, session: head.session, body: body,
                keepsConnection: head.keepsConnection))
    }
}

/// The status of an answer.
package enum HTTPStatus: String, Hashable, Sendable {
    /// Done.
    case ok = "200 OK"
    /// Not a request of HTTP/1.
    case badRequest = "400 Bad Request"
    /// No such endpoint.
    case notFound = "404 Not Found"
    /// Something else than POST.
    case methodNotAllowed = "405 Method Not Allowed"
    /// A body without its length.
    case lengthRequired = "411 Length Required"
    /// A body above the limit.
    case bodyTooLarge = "413 Content Too Large"
    /// A head above the limit.
    case headTooLarge = "431 Request Header Fields Too Large"
    /// The device could not do it.
    case failed = "500 Internal Server Error"
}

/// The head of a request.
private struct Head {
    let method: Substring
    let path: String
    private(set) var length: Int?
    private(set) var session: Int?
    private(set) var keepsConnection: Bool

    /// `nil` if it is not the head of an HTTP/1 request, or says two things of the body's length.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasPrefix("/"),
            words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0"
        else { return nil }
        method = words[0]
        path = String(words[1].dropFirst().prefix { $0 != "?" })
        keepsConnection = words[2] == "HTTP/1.1"
        for line in lines.dropFirst() where !take(line) { return nil }
    }

    /// - Returns: whether the line is a field that means one thing.
    private mutating func take(_ line: Substring) -> Bool {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return false }
        let value = line[line.index(after: colon)...].trimmingBlanks
        switch line[..<colon].lowercased() {
        case "content-length":
            guard length == nil, value.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int(value)
            else { return false }
            length = number
        case "transfer-encoding": return false
        case "connection": keepsConnection = value.lowercased() != "close"
        case "cookie": session = Self.session(in: value)
        default: break
        }
        return true
    }

    private static func session(in cookies: Substring) -> Int? {
        for cookie in cookies.split(separator: ";") {
            let cookie = cookie.trimmingBlanks
            if cookie.hasPrefix("session=") { return Int(cookie.dropFirst("session=".count)) }
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
