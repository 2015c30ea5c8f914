import Basics
import Keychain

/// The passwords of a fleet's devices on its private broker: all follow from one secret, so that each process of the
/// fleet knows those of its devices.
package struct DevicePasswords: Sendable {
    /// 192 random bits in hexadecimal digits.
    package let secret: String

    /// New passwords, from the system's secure generator.
    package init() {
        let bytes = (0..<24).map { _ in UInt8.random(in: .min ... .max) }
        secret = bytes.hexadecimal
    }

    /// The passwords of a secret.
    package init(secret: String) { self.secret = secret }

    /// The password of a device: 192 bits of the SHA-256 over secret and name. The digest is cut, so that nobody can
    /// continue it.
    package subscript(device: DeviceKey) -> String {
        let hash = SHA256Stream()
        hash.add(Array("\(secret)/\(device)".utf8))
        return hash.digest.prefix(24).map { $0 }.hexadecimal
    }
}
