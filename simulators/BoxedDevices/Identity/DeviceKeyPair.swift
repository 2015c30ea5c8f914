internal import COpenSSL

/// A device's key of P-256, made by the device itself, and its request for a certificate. The only file of
/// this room that knows OpenSSL.
package struct DeviceKeyPair: Hashable, Sendable {
    /// The key in PEM; it never leaves the device.
    let key: String
    /// The request for a certificate in PEM.
    let signingRequest: String

    /// The largest text of a key or a request, in bytes.
    private static let size = 4096

    init(key: String, signingRequest: String) {
        self.key = key
        self.signingRequest = signingRequest
    }

    /// A new key, and a request for a certificate with this common name.
    package init(for name: String) {
        let key = Self.text { copenssl_new_key($0, Self.size) }
        self.key = key
        signingRequest = Self.text { copenssl_signing_request(key, name, $0, Self.size) }
    }

    private static func text(_ write: (UnsafeMutablePointer<CChar>) -> Bool) -> String {
        var text = [CChar](repeating: 0, count: size)
        let isDone = text.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map(write) ?? false
        }
        precondition(isDone, "a key fails without memory or randomness alone")
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    /// Whether a certificate in PEM is for this key.
    func isFitting(_ certificate: String) -> Bool { copenssl_certificate_fits(certificate, key) }
}
