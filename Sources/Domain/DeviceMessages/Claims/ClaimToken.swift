/// What lets the owner of a key ask a home's authority for one certificate, once. It prints as `<redacted>`.
public struct ClaimToken: RawRepresentable, Hashable, Sendable {
    /// The most characters (Unicode scalars).
    public static let maximumLength = 256

    public let rawValue: String

    /// Accepts a text of 1 to 256 characters, else `nil`.
    public init?(rawValue: String) {
        guard (1...Self.maximumLength).contains(rawValue.unicodeScalars.count) else { return nil }
        self.rawValue = rawValue
    }
}

extension ClaimToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
