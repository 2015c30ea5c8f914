internal import Basics
internal import HTTPSRequests

/// Makes its client when it is used first: a channel that is never opened has no thread.
final class LazyHTTPSTransport: PlatformTransport {
    private let authority: String?
    private let made = Guarded<HTTPSClient?>(nil)

    init(authority: String?) { self.authority = authority }

    func post(_ post: FormPost) async throws(TransportFailure) -> HTTPAnswer {
        let transport = try made.withLock { made throws(TransportFailure) in
            if let made { return made }
            let new = try HTTPSClient(authority: authority)
            made = new
            return new
        }
        return try await transport.post(post)
    }
}
