/// The headers of every response.
enum SecurityHeaders {
    /// Nothing but what this server itself sends is loaded, run or sent anywhere, and no other site may
    /// show a page of it in a frame.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Names and values.
    /// - Parameter usesTLS: whether browsers must use TLS from now on.
    static func fields(usesTLS: Bool) -> [(name: String, value: String)] {
        let common = [
            ("content-security-policy", contentSecurityPolicy),
            ("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"), ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
        ]
        return common + (usesTLS ? [("strict-transport-security", "max-age=31536000")] : [])
    }
}
