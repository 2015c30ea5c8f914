internal import COpenSSL
internal import DeviceDomain
internal import Glibc

/// Keys, certificates and revocation lists in PEM, by OpenSSL. The only file of this room that knows it.
enum Certificates {
    /// A new key on the curve P-256 (PKCS #8).
    static func newKey() -> String {
        guard let key = text(copenssl_new_key()) else {
            preconditionFailure("a key fails without memory or randomness alone")
        }
        return key
    }

    /// The public key of a key.
    static func publicKey(of key: String) -> String {
        guard let publicKey = text(copenssl_public_key(key)) else {
            preconditionFailure("a public key fails without memory alone")
        }
        return publicKey
    }

    /// The public key of a request for a certificate (PKCS #10).
    /// - Throws: ``IdentityError`` `invalidRequest` unless it has a key on the curve P-256 and is signed
    ///   with it.
    static func publicKey(ofRequest request: String) throws(IdentityError) -> String {
        var key: UnsafeMutablePointer<CChar>?
        let problem: String
        switch copenssl_check_request(request, &key) {
        case copenssl_request_good:
            guard let key = text(key) else { preconditionFailure("a good request has a key") }
            return key
        case copenssl_request_of_other_curve:
            problem = "the key of a certificate request must be on the curve P-256 (prime256v1)"
        case copenssl_request_not_signed:
            problem = "the certificate request is not signed with its own key"
        default: problem = "this is no certificate request in PEM"
        }
        throw IdentityError(.invalidRequest, problem)
    }

    /// Whether a certificate is for that key.
    static func isCertificate(_ certificate: String, for key: String) -> Bool {
        copenssl_certificate_fits(certificate, key)
    }

    /// Until when a certificate is valid; `nil` if it is none.
    static func expiry(of certificate: String) -> Timestamp? {
        let seconds = copenssl_not_after(certificate)
        return seconds < 0 ? nil : Timestamp(milliseconds: Int(seconds) * 1000)
    }

    /// What the owner of a certificate does with it.
    enum Purpose: Hashable, Sendable {
        /// Issues certificates.
        case authority
        /// Connects to a broker.
        case client
        /// Is a broker, under these names and addresses.
        case server([String])
    }

    /// A certificate to be issued; times count in whole seconds.
    struct Order: Sendable {
        let purpose: Purpose
        let commonName: String
        let publicKey: String
        let serial: SerialNumber
        let notBefore: Timestamp
        let notAfter: Timestamp
    }

    /// Issues a certificate; without an issuer's certificate one that is signed with its own key.
    /// - Throws: ``IdentityError`` `system`.
    static func issue(
        _ order: Order, by certificate: String?, _ key: String
    ) throws(IdentityError) -> String {
        let hosts: String? =
            if case .server(let hosts) = order.purpose {
                hosts.map { $0 + "\0" }.joined()
            } else { nil }
        return try made(
            copenssl_issue(
                order.purpose.code, certificate, key, order.publicKey, order.commonName, hosts,
                order.serial.bytes, order.serial.bytes.count, order.notBefore.seconds,
                order.notAfter.seconds))
    }

    /// Writes a list of revoked certificates, valid as long as its issuer.
    /// - Throws: ``IdentityError`` `system`.
    static func revocationList(
        _ list: RevocationList, by issuer: Issuer
    ) throws(IdentityError) -> String {
        try made(
            copenssl_revocation_list(
                issuer.certificate, issuer.key, Int64(list.number), list.thisUpdate.seconds,
                list.entries.flatMap(\.serial.bytes), SerialNumber.size,
                list.entries.map(\.since.seconds), list.entries.count))
    }

    /// Whether one of the lists in a text in PEM names a serial number.
    static func hasEntry(_ lists: String, for serial: SerialNumber) -> Bool {
        copenssl_lists_have(lists, serial.bytes, serial.bytes.count)
    }

    private static func made(
        _ pointer: UnsafeMutablePointer<CChar>?
    ) throws(IdentityError) -> String {
        guard let text = text(pointer) else {
            throw IdentityError(
                .system, "OpenSSL cannot make a certificate: the system may be out of memory")
        }
        return text
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
        guard let pointer else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

extension Certificates.Purpose {
    fileprivate var code: copenssl_purpose {
        switch self {
        case .authority: copenssl_for_authority
        case .client: copenssl_for_client
        case .server: copenssl_for_server
        }
    }
}

extension Timestamp {
    /// The whole second at or before the moment, since 1970: certificates have no fractions.
    fileprivate var seconds: Int64 { Int64(milliseconds / 1000) }
}
