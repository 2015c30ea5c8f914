internal import Crypto
internal import DeviceDomain
internal import FoundationEssentials
internal import SwiftASN1
internal import X509

/// A key and its self-signed certificate, which issue the certificates of one kind of owner.
struct Issuer: Sendable {
    let certificate: Certificate
    let key: P256.Signing.PrivateKey

    /// How long an authority is valid.
    private static let lifetime = Duration.seconds(20 * 365 * 86_400)
    /// For clocks that are behind.
    private static let allowance = Duration.seconds(3_600)

    /// A new authority.
    static func make(for kind: IdentityKind, of home: HomeID, at now: Timestamp) throws -> Issuer {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Homeport \(home) \(kind.rawValue)s") }
        let own = Certificate.PrivateKey(key)
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(bytes: SerialNumber.random().bytes),
            publicKey: own.publicKey, notValidBefore: now.advanced(by: .zero - allowance).date,
            notValidAfter: now.advanced(by: lifetime).date, issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: own.publicKey)
            },
            issuerPrivateKey: own)
        return Issuer(certificate: certificate, key: key)
    }

    /// Issues a certificate that its owner presents to a broker.
    func issue(
        to name: IdentityName, _ request: CertificateRequest, from now: Timestamp,
        validFor validity: Duration
    ) throws -> IssuedCertificate {
        let record = IdentityRecord(
            name: name, serial: .random(),
            notBefore: now.advanced(by: .zero - Self.allowance).wholeSeconds,
            notAfter: now.advanced(by: validity).wholeSeconds, standing: .staged)
        let certificate = try sign(
            name.commonName, request.publicKey, record.serial,
            from: record.notBefore, to: record.notAfter,
            usage: Certificate.Extensions { try ExtendedKeyUsage([.clientAuth]) })
        return IssuedCertificate(
            record: record, certificate: try certificate.serializeAsPEM().text, key: nil)
    }

    /// Issues a certificate for a few minutes of administration.
    func issueAdministrator(
        _ name: String, _ request: CertificateRequest, from now: Timestamp
    ) throws -> String {
        try sign(
            name, request.publicKey, .random(), from: now.advanced(by: .zero - Self.allowance),
            to: now.advanced(by: .seconds(300)),
            usage: Certificate.Extensions { try ExtendedKeyUsage([.clientAuth]) }
        ).serializeAsPEM().text
    }

    /// Issues a certificate that a broker presents, valid as long as the authority.
    /// - Parameter hosts: names and addresses under which clients reach it.
    func issueServer(
        for hosts: [String], _ request: CertificateRequest, from now: Timestamp
    ) throws -> String {
        let names = hosts.map { host in
            NumericAddress(host).map {
                GeneralName.ipAddress(ASN1OctetString(contentBytes: $0.bytes[...]))
            }
                ?? .dnsName(host)
        }
        return try sign(
            hosts.first ?? "localhost", request.publicKey, .random(),
            from: now.advanced(by: .zero - Self.allowance),
            to: Timestamp(certificate.notValidAfter),
            usage: Certificate.Extensions {
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
            }
        ).serializeAsPEM().text
    }

    private func sign(
        _ name: String, _ owner: Certificate.PublicKey, _ serial: SerialNumber,
        from notBefore: Timestamp, to notAfter: Timestamp, usage: Certificate.Extensions
    ) throws -> Certificate {
        let own = Certificate.PrivateKey(key)
        return try Certificate(
            version: .v3, serialNumber: .init(bytes: serial.bytes), publicKey: owner,
            notValidBefore: notBefore.date, notValidAfter: notAfter.date,
            issuer: certificate.subject, subject: DistinguishedName { CommonName(name) },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                SubjectKeyIdentifier(hash: owner)
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: own.publicKey).keyIdentifier)
                usage
            },
            issuerPrivateKey: own)
    }
}

extension Timestamp {
    /// The whole second at or before the moment: certificates have no fractions.
    fileprivate var wholeSeconds: Timestamp { Timestamp(milliseconds: milliseconds / 1000 * 1000) }

    fileprivate var date: Date { Date(timeIntervalSince1970: Double(milliseconds / 1000)) }

    /// The moment of a certificate.
    init(_ date: Date) { self.init(milliseconds: Int(date.timeIntervalSince1970) * 1000) }
}

extension PEMDocument {
    /// The document with a newline at its end.
    var text: String { pemString + "\n" }
}
