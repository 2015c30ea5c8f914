import NIOCore
import NIOHTTP1

/// The answer to one request.
package struct HTTPReply: Sendable {
    private let status: Int
    /// The header, without length and connection.
    private let fields: [(String, String)]
    let body: [UInt8]

    /// An answer with a body.
    /// - Parameters:
    ///   - status: a status code of HTTP, such as 200.
    ///   - cookie: `NAME=VALUE` that the client is to send from now on; `nil` for none.
    package init(_ status: Int, contentType: String, cookie: String? = nil, body: [UInt8]) {
        self.status = status
        fields = [("Content-Type", contentType)] + (cookie.map { [("Set-Cookie", $0)] } ?? [])
        self.body = body
    }

    /// An answer of plain text.
    package init(_ status: Int, cookie: String? = nil, text: String) {
        self.init(
            status, contentType: "text/plain; charset=utf-8", cookie: cookie,
            body: Array(text.utf8))
    }

    /// The head, as if the whole body followed.
    func head(closing: Bool) -> HTTPResponseHead {
        var headers = HTTPHeaders(fields)
        headers.add(name: "Content-Length", value: "\(body.count)")
        if closing { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
    }
}

/// What becomes of a request.
package enum HTTPOutcome: Sendable {
    /// It is answered.
    case reply(HTTPReply)
    /// The answer breaks off in the middle, and the connection with it.
    case half(HTTPReply)
    /// The connection breaks without an answer.
    case nothing
}
