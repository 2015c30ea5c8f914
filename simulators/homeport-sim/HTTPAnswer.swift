/// One answer of HTTP/1.1, after which the connection closes.
struct HTTPAnswer: Sendable {
    /// The status code and its reason phrase.
    enum Status: String, Sendable {
        case ok = "200 OK"
        case badRequest = "400 Bad Request"
        case notFound = "404 Not Found"
        case methodNotAllowed = "405 Method Not Allowed"
        case serviceUnavailable = "503 Service Unavailable"
    }

    let status: Status
    let contentType: String
    let body: [UInt8]

    /// Creates one from text.
    init(_ status: Status, _ text: String, contentType: String = "text/plain; charset=utf-8") {
        self.status = status
        self.contentType = contentType
        body = Array(text.utf8)
    }

    /// The encoded response.
    var bytes: [UInt8] {
        let head = [
            "HTTP/1.1 \(status.rawValue)", "Content-Type: \(contentType)",
            "Content-Length: \(body.count)", "Connection: close", "", "",
        ]
        return Array(head.joined(separator: "\r\n").utf8) + body
    }
}
