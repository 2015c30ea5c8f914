internal import Basics
internal import HTTPSRequests

/// An HTTPS address that gets each message as a POST of JSON.
final class NotificationAddress: NotificationWay {
    /// How long a request may take.
    private static let limit = Duration.seconds(10)

    private let url: String
    private let authority: String?
    /// Made when it is needed first.
    private let client = Guarded<HTTPSClient?>(nil)

    /// - Parameters:
    ///   - url: `https://…`
    ///   - authority: a PEM file with the authorities that are trusted; `nil` for those of the system.
    init(_ url: String, authority: String? = nil) {
        self.url = url
        self.authority = authority
    }

    /// Without what follows the host, where tokens may be.
    var name: String {
        let host = url.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
        return "https://" + (host.split(separator: "@").last.map(String.init) ?? "")
    }

    func deliver(_ message: RuleMessage) async -> String? {
        do throws(TransportFailure) {
            let client = try client.withLock { made throws(TransportFailure) in
                if let made { return made }
                let new = try HTTPSClient(authority: authority)
                made = new
                return new
            }
            let answer = try await client.post(
                HTTPSPost(
                    url: url, body: message.json, contentType: "application/json", isSentOnce: true,
                    connectTimeout: Self.limit, timeout: Self.limit))
            return (200..<300).contains(answer.status) ? nil : "it answers \(answer.status)"
        } catch {
            return error.message
        }
    }
}
