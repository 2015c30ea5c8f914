/// Why the dashboard cannot be served.
public struct DashboardError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Hashable, Sendable {
        /// The options do not fit together, or one of them cannot be read.
        case options
        /// A file of the certificate or key cannot be used.
        case files
        /// The address cannot be listened on.
        case address
        /// The server failed while it ran.
        case failed
    }

    /// What went wrong.
    public let code: Code
    /// What happened, why, and what to do: one line.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
