internal import Basics
internal import Keychain

/// SHA-256 (FIPS 180-4).
package struct SHA256: Hashable, Sendable {
    /// Bytes of a hash.
    package static let size = 32
    /// What stands for the hash before the first one.
    package static let none = SHA256(bytes: [UInt8](repeating: 0, count: size))

    package let bytes: [UInt8]

    /// A hash that was stored; `nil` if it has another size.
    package init?(stored bytes: [UInt8]?) {
        guard let bytes, bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The hash of a message.
    package static func digest(of message: [UInt8]) -> SHA256 {
        SHA256(bytes: Cryptography.sha256(message))
    }

    /// The hash in 64 hexadecimal digits.
    package var hexadecimal: String { bytes.hexadecimal }
}
