import NIOHTTP1

/// What clients may take of a server.
package struct HTTPServerLimits: Sendable {
    /// The method of all requests; others get status 405.
    let method: HTTPMethod
    /// The largest head of a request, in bytes; a larger one gets status 431.
    let head: Int
    /// The largest body of a request, in bytes; a larger one gets status 413.
    let body: Int
    /// How long a client may take to send a request, and again to read the answer.
    let timeout: Duration
    /// Connections at a time. One more closes the one that has waited longest for its client; while all of them
    /// are answered it waits to be accepted.
    let connections: Int
    /// Whether a connection may stay for another request.
    let keepsConnections: Bool

    /// A server of pages: requests have no body, and each connection is closed after its answer.
    package static func pages(
        head: Int, timeout: Duration, connections: Int
    ) -> HTTPServerLimits {
        HTTPServerLimits(
            method: .GET, head: head, body: 0, timeout: timeout, connections: connections,
            keepsConnections: false)
    }

    /// A server of calls: each request has a body, and connections stay.
    package static func calls(
        head: Int, body: Int, timeout: Duration, connections: Int
    ) -> HTTPServerLimits {
        HTTPServerLimits(
            method: .POST, head: head, body: body, timeout: timeout, connections: connections,
            keepsConnections: true)
    }
}

extension HTTPServerLimits {
    /// The status of a request that is refused by its head; `nil` for one that is read.
    func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
        // A body has a length, so that it can be refused before it comes.
        guard head.uri.hasPrefix("/"), !head.headers.contains(name: "Transfer-Encoding") else {
            return .badRequest
        }
        guard head.method == method else { return .methodNotAllowed }
        guard let text = head.headers.first(name: "Content-Length") else {
            return method == .POST ? .lengthRequired : nil
        }
        guard let length = Int(text), length <= body else { return .payloadTooLarge }
        return nil
    }
}
