internal import Basics
internal import DeviceDomain
internal import Keychain

/// What a boxed device proves with that a home wants it: a random text that counts once, for one device,
/// for a short time.
public struct SingleUseToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// How long one counts unless it is said.
    public static let usualLifetime = Duration.seconds(600)

    /// The text that goes to the device: 32 hexadecimal digits.
    public let text: String

    /// A token that a device has given back.
    public init(_ text: String) { self.text = text }

    /// A new one with 128 random bits.
    static func random() -> SingleUseToken {
        return SingleUseToken(
            (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
                .uppercased())
    }

    /// What the register stores of it.
    var hash: String { Cryptography.sha256(Array(text.utf8)).hexadecimal.uppercased() }

    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What the register knows of a claim token.
struct ClaimRecord: Hashable, Sendable {
    /// The SHA-256 of the token, in hexadecimal digits.
    let hash: String
    /// The only device that it counts for.
    let name: IdentityName
    /// Until when it counts.
    let expiresAt: Timestamp
    /// Whether it has been used.
    var isUsed = false
}
