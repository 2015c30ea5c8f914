/// One answer of HTTP/1.1.
struct HTTPReply: Sendable {
    private let status: HTTPStatus
    private let session: Int?
    private let contentType: String
    private let body: [UInt8]

    /// An answer without a device behind it.
    init(_ status: HTTPStatus) {
        self.init(status, session: nil, text: status.rawValue)
    }

    /// The answer of a device.
    init(_ answer: AccessPointAnswer) {
        switch answer {
        case .done(let session, let body):
            self.init(
                .ok, session: session, contentType: "application/octet-stream", body: body)
        case .unknownEndpoint: self.init(.notFound)
        case .failed(let session, let reason):
            self.init(.failed, session: session, text: reason)
        }
    }

    private init(_ status: HTTPStatus, session: Int?, text: String) {
        self.init(
            status, session: session, contentType: "text/plain; charset=utf-8",
            body: Array("\(text)\n".utf8))
    }

    private init(_ status: HTTPStatus, session: Int?, contentType: String, body: [UInt8]) {
        self.status = status
        self.session = session
        self.contentType = contentType
        self.body = body
    }

    /// The encoded answer.
    func bytes(closing: Bool) -> [UInt8] {
        var head = [
            "HTTP/1.1 \(status.rawValue)", "Content-Type: \(contentType)",
            "Content-Length: \(body.count)",
        ]
        if let session { head.append("Set-Cookie: session=\(session)") }
        if closing { head.append("Connection: close") }
        return Array((head + ["", ""]).joined(separator: "\r\n").utf8) + body
    }
}
