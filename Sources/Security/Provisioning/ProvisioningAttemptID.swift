internal import Basics

/// Names one attempt to provision a device: 16 hexadecimal digits.
public struct ProvisioningAttemptID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    private static let length = 16

    public let rawValue: String

    /// Accepts 16 lower-case hexadecimal digits, else `nil`.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length,
            rawValue.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(_ digits: String) { rawValue = digits }

    /// A new one.
    static func random(using generator: inout some RandomNumberGenerator) -> Self {
        Self(UInt64.random(in: .min ... .max, using: &generator).hexadecimal)
    }

    public var description: String { rawValue }
}
