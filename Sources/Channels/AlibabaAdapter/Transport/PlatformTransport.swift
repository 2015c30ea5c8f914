/// An answer over HTTP, of whatever status.
struct HTTPAnswer: Hashable, Sendable {
    var status: Int
    var body: [UInt8]
    /// The header `Date`; empty where the server sent none.
    var date = ""
}

/// A request over HTTPS that has no answer.
struct TransportFailure: Error, Hashable, Sendable {
    /// Why.
    enum Reason: Hashable, Sendable {
        case unreachable, tlsRefused, timedOut, lost, tooLarge, cancelled, unusable
    }

    var reason: Reason
    /// Whether the server may have got any of the request.
    var mayHaveLeft: Bool
    /// What happened.
    var message: String
}

/// A form for a server.
struct FormPost: Hashable, Sendable {
    var url: String
    /// `application/x-www-form-urlencoded`
    var form: [UInt8]
    /// Whether it must not reach the server twice.
    var isSentOnce: Bool
    var connectTimeout: Duration
    var timeout: Duration
}

/// Sends forms over HTTPS. It sends none twice, and follows no redirect.
protocol PlatformTransport: Sendable {
    /// Sends a form and waits for the answer. Cancelling the task ends the request.
    func post(_ post: FormPost) async throws(TransportFailure) -> HTTPAnswer
}
