internal import DeviceDomain

/// A key and its self-signed certificate, which issue the certificates of one kind of owner.
struct Issuer: Sendable {
    /// In PEM.
    let certificate: String
    /// In PEM (PKCS #8).
    let key: String
    /// Until when the certificate is valid.
    private let notAfter: Timestamp

    /// How long an authority is valid.
    private static let lifetime = Duration.seconds(20 * 365 * 86_400)
    /// How long the certificate of a broker is valid.
    private static let serverLifetime = Duration.seconds(365 * 86_400)
    private static let allowance = IdentityRecord.allowance

    /// A stored authority; `nil` unless it is a certificate and its key.
    init?(certificate: String, key: String) {
        guard Certificates.isCertificate(certificate, for: key),
            let notAfter = Certificates.expiry(of: certificate)
        else { return nil }
        self.certificate = certificate
        self.key = key
        self.notAfter = notAfter
    }

    /// A new authority.
    init(
        for kind: IdentityKind, of home: HomeID, at now: Timestamp
    ) throws(IdentityError) {
        key = Certificates.newKey()
        notAfter = now.advanced(by: Self.lifetime)
        certificate = try Certificates.issue(
            Certificates.Order(
                purpose: .authority, commonName: "Homeport \(home) \(kind.rawValue)s",
                publicKey: Certificates.publicKey(of: key), serial: .random(),
                notBefore: now.advanced(by: .zero - Self.allowance), notAfter: notAfter),
            by: nil, key)
    }

    /// Issues a certificate that its owner presents to a broker, valid not longer than the authority.
    /// - Throws: ``IdentityError`` `authorityEnded`, as the others do.
    func issue(
        _ order: CertificateOrder, from now: Timestamp, validFor validity: Duration
    ) throws(IdentityError) -> IssuedCertificate {
        let record = try record(of: order.name, from: now, validFor: validity)
        let certificate = try sign(
            order.request, for: .client, order.name.commonName, record.serial,
            from: record.notBefore, to: record.notAfter)
        return IssuedCertificate(record: record, certificate: certificate, key: order.key)
    }

    /// Issues a certificate for a few minutes of administration.
    func issueAdministrator(
        _ name: String, _ request: CertificateRequest, from now: Timestamp
    ) throws(IdentityError) -> String {
        try sign(
            request, for: .client, name, from: now.advanced(by: .zero - Self.allowance),
            to: try end(of: .seconds(300), from: now))
    }

    /// Issues a certificate that a broker presents, valid for a year, and not longer than the authority.
    /// - Parameter hosts: names and addresses under which clients reach it.
    func issueServer(
        for hosts: [String], _ request: CertificateRequest, from now: Timestamp
    ) throws(IdentityError) -> IssuedCertificate {
        let name = hosts.first ?? "localhost"
        let record = try record(of: .server(name), from: now, validFor: Self.serverLifetime)
        let certificate = try sign(
            request, for: .server(hosts), name, record.serial, from: record.notBefore,
            to: record.notAfter)
        return IssuedCertificate(record: record, certificate: certificate, key: nil)
    }

    /// A new record of a certificate, staged.
    private func record(
        of name: IdentityName, from now: Timestamp, validFor validity: Duration
    ) throws(IdentityError) -> IdentityRecord {
        IdentityRecord(
            name: name, serial: .random(),
            notBefore: now.advanced(by: .zero - Self.allowance).wholeSeconds,
            notAfter: try end(of: validity, from: now), standing: .staged)
    }

    /// The end of a certificate that is issued now.
    private func end(
        of validity: Duration, from now: Timestamp
    ) throws(IdentityError) -> Timestamp {
        guard now < notAfter else { throw .authorityEnded }
        return min(notAfter, now.advanced(by: validity)).wholeSeconds
    }

    private func sign(
        _ request: CertificateRequest, for purpose: Certificates.Purpose, _ name: String,
        _ serial: SerialNumber = .random(), from notBefore: Timestamp, to notAfter: Timestamp
    ) throws(IdentityError) -> String {
        try Certificates.issue(
            Certificates.Order(
                purpose: purpose, commonName: name, publicKey: request.publicKey, serial: serial,
                notBefore: notBefore, notAfter: notAfter),
            by: certificate, key)
    }
}

extension Timestamp {
    /// The whole second at or before the moment: certificates have no fractions.
    fileprivate var wholeSeconds: Timestamp { Timestamp(milliseconds: milliseconds / 1000 * 1000) }
}
