import NIOCore
import NIOHTTP1

/// A whole request of HTTP/1.
package struct HTTPRequest: Sendable {
    /// The path with its first slash, without a query.
    package let path: String
    /// The body; empty for none.
    package let body: [UInt8]
    private let cookies: [Substring]

    init(_ head: HTTPRequestHead, body: [UInt8]) {
        path = String(head.uri.prefix { $0 != "?" })
        self.body = body
        cookies = head.headers[canonicalForm: "Cookie"].flatMap { $0.split(separator: ";") }
            .map { $0.drop { $0 == " " } }
    }

    /// The value of a cookie; `nil` for none.
    package func cookie(_ name: String) -> String? {
        cookies.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}
