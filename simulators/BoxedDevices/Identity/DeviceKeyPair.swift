internal import COpenSSL
internal import Glibc

/// A device's key of P-256, made by the device itself, and its request for a certificate. The only file of
/// this room that knows OpenSSL.
package struct DeviceKeyPair: Hashable, Sendable {
    /// The key in PEM; it never leaves the device.
    let key: String
    /// The request for a certificate in PEM.
    let signingRequest: String

    init(key: String, signingRequest: String) {
        self.key = key
        self.signingRequest = signingRequest
    }

    /// A new key, and a request for a certificate with this common name.
    package init(for name: String) {
        key = Self.text(copenssl_new_key())
        signingRequest = Self.text(copenssl_signing_request(key, name))
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
        guard let pointer else {
            preconditionFailure("a key fails without memory or randomness alone")
        }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Whether a certificate in PEM is for this key.
    func isFitting(_ certificate: String) -> Bool { copenssl_certificate_fits(certificate, key) }
}
