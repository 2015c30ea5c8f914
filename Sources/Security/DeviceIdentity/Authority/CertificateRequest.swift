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

/// A certificate that is to be issued.
struct CertificateOrder: Sendable {
    let name: IdentityName
    let request: CertificateRequest
    /// The key in PEM; `nil` where it stays with its owner.
    let key: String?

    /// One with a new key.
    init(_ name: IdentityName) {
        let key = IdentityKey()
        self.name = name
        self.key = key.pem
        request = key.request
    }

    /// One for a key that stays with its owner.
    init(_ name: IdentityName, _ request: CertificateRequest) {
        self.name = name
        self.request = request
        key = nil
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
struct IdentityKey: Sendable {
    /// The key in PEM (PKCS #8).
    let pem = Certificates.newKey()

    /// The request for its certificate.
    var request: CertificateRequest { CertificateRequest(self) }
}
