/// A request over HTTPS.
package struct HTTPSPost: Hashable, Sendable {
    /// `https://…`; any other scheme is refused.
    package var url: String
    /// The content.
    package var body: [UInt8]
    /// What the content is, as the header `Content-Type` says it.
    package var contentType: String
    /// Whether it must not reach the server twice.
    package var isSentOnce: Bool
    /// For the connection with TLS, and for all together.
    package var connectTimeout: Duration
    package var timeout: Duration

    package init(
        url: String, body: [UInt8], contentType: String, isSentOnce: Bool,
        connectTimeout: Duration, timeout: Duration
    ) {
        self.url = url
        self.body = body
        self.contentType = contentType
        self.isSentOnce = isSentOnce
        self.connectTimeout = connectTimeout
        self.timeout = timeout
    }
}

/// An answer over HTTP, of whatever status.
package struct HTTPAnswer: Hashable, Sendable {
    package var status: Int
    package var body: [UInt8]
    /// The header `Date`; empty where the server sent none.
    package var date: String

    package init(status: Int, body: [UInt8], date: String = "") {
        self.status = status
        self.body = body
        self.date = date
    }
}

/// A request over HTTPS that has no answer.
package struct TransportFailure: Error, Hashable, Sendable {
    /// Why.
    package enum Reason: Hashable, Sendable {
        case unreachable, tlsRefused, timedOut, lost, tooLarge, cancelled, unusable
    }

    package var reason: Reason
    /// Whether the server may have got any of the request.
    package var mayHaveLeft: Bool
    /// What happened.
    package var message: String

    package init(reason: Reason, mayHaveLeft: Bool, message: String) {
        self.reason = reason
        self.mayHaveLeft = mayHaveLeft
        self.message = message
    }
}
