/// The headers of every response.
enum SecurityHeaders {
    /// Nothing but what this server itself sends is loaded, run or sent anywhere, and no other site may
    /// show a page of it in a frame.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Names and values. The camera is for the code of a boxed device. `Strict-Transport-Security` is not among them: browsers apply it to every port of
    /// a host, and so to other programs of this machine.
    static let fields: [(name: String, value: String)] = [
        ("content-security-policy", contentSecurityPolicy),
        ("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"), ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(self), geolocation=(), microphone=()"),
    ]
}
