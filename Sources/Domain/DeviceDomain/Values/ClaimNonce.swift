/// Identifies one claim of a boxed device, from the offer of a home to its end: 1 to 64 characters.
public struct ClaimNonce: RawRepresentable, Hashable, Sendable {
    /// The most characters (Unicode scalars).
    public static let maximumLength = 64

    public let rawValue: String

    /// Accepts a text of 1 to 64 characters, else `nil`.
    public init?(rawValue: String) {
        guard (1...Self.maximumLength).contains(rawValue.unicodeScalars.count) else { return nil }
        self.rawValue = rawValue
    }
}

extension ClaimNonce: CustomStringConvertible {
    public var description: String { rawValue }
}
