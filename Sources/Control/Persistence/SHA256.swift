internal import Basics
internal import Keychain

/// SHA-256 (FIPS 180-4).
struct SHA256: Hashable, Sendable {
    /// Bytes of a hash.
    static let size = 32
    /// What stands for the hash before the first one.
    static let none = SHA256(bytes: [UInt8](repeating: 0, count: size))

    let bytes: [UInt8]

    /// A hash that was stored; `nil` if it has another size.
    init?(stored blob: Blob?) {
        guard let blob, blob.bytes.count == Self.size else { return nil }
        bytes = blob.bytes
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The hash of a message.
    static func digest(of message: [UInt8]) -> SHA256 {
        SHA256(bytes: Cryptography.sha256(message))
    }

    /// The hash in 64 hexadecimal digits.
    var hexadecimal: String { bytes.hexadecimal }
}
