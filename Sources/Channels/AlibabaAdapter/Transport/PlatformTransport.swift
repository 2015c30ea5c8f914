internal import HTTPSRequests

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

extension HTTPSClient: PlatformTransport {
    func post(_ post: FormPost) async throws(TransportFailure) -> HTTPAnswer {
        try await self.post(
            HTTPSPost(
                url: post.url, body: post.form, contentType: "application/x-www-form-urlencoded",
                isSentOnce: post.isSentOnce, connectTimeout: post.connectTimeout,
                timeout: post.timeout))
    }
}
