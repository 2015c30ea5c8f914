internal import Crypto
internal import SwiftASN1
internal import X509

/// A request for a certificate (PKCS #10). Only its key counts: the authority chooses the name.
public struct CertificateRequest: Sendable {
    let publicKey: Certificate.PublicKey

    /// Reads a request in PEM.
    /// - Throws: ``IdentityError`` `invalidRequest` unless it has a key on the curve P-256 and is signed
    ///   with it.
    public init(pem: String) throws(IdentityError) {
        let request: CertificateSigningRequest
        do {
            request = try CertificateSigningRequest(pemEncoded: pem)
        } catch {
            throw IdentityError(
                .invalidRequest, "this is no certificate request in PEM: \(error)")
        }
        guard P256.Signing.PublicKey(request.publicKey) != nil else {
            throw IdentityError(
                .invalidRequest,
                "the key of a certificate request must be on the curve P-256 (prime256v1)")
        }
        guard request.publicKey.isValidSignature(request.signature, for: request) else {
            throw IdentityError(
                .invalidRequest, "the certificate request is not signed with its own key")
        }
        publicKey = request.publicKey
    }

    fileprivate init(_ key: P256.Signing.PrivateKey) {
        publicKey = Certificate.PrivateKey(key).publicKey
    }
}

/// A new certificate, with its key where the authority has made it.
public struct IssuedCertificate: Sendable {
    /// What the authority has recorded.
    public let record: IdentityRecord
    /// The certificate in PEM.
    public let certificate: String
    /// The key in PEM; `nil` where it has never left its owner.
    let key: String?
}

/// A new key of a device or controller.
struct DeviceKey: Sendable {
    private let key = P256.Signing.PrivateKey()

    /// The request for its certificate.
    var request: CertificateRequest { CertificateRequest(key) }
    /// The key in PEM (PKCS #8).
    var pem: String { key.pemRepresentation + "\n" }
}
