/// A request for a certificate (PKCS #10). Only its key counts: the authority chooses the name.
public struct CertificateRequest: Sendable {
    /// In PEM.
    let publicKey: String

    /// Reads a request in PEM.
    /// - Throws: ``IdentityError`` `invalidRequest` unless it has a key on the curve P-256 and is signed
    ///   with it.
    public init(pem: String) throws(IdentityError) {
        publicKey = try Certificates.publicKey(ofRequest: pem)
    }

    fileprivate init(_ key: IdentityKey) { publicKey = Certificates.publicKey(of: key.pem) }
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
struct IdentityKey: Sendable {
    /// The key in PEM (PKCS #8).
    let pem = Certificates.newKey()

    /// The request for its certificate.
    var request: CertificateRequest { CertificateRequest(self) }
}
