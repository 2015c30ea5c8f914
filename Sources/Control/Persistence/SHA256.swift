internal import COpenSSL

/// SHA-256 (FIPS 180-4), by OpenSSL.
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
        var digest = [UInt8](repeating: 0, count: size)
        copenssl_sha256(message, message.count, &digest)
        return SHA256(bytes: digest)
    }

    /// The hash in 64 hexadecimal digits.
    var hexadecimal: String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * Self.size)
        for byte in bytes {
            text.append(Self.digits[Int(byte >> 4)])
            text.append(Self.digits[Int(byte & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
