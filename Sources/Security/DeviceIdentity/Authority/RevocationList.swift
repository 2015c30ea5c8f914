internal import DeviceDomain

/// A list of revoked certificates (RFC 5280 section 5).
struct RevocationList: Sendable {
    /// Rises with each list.
    let number: Int
    /// From when it is valid. Of several lists OpenSSL takes the one with the latest.
    let thisUpdate: Timestamp
    /// The serial numbers, and since when they are revoked.
    let entries: [(serial: SerialNumber, since: Timestamp)]

    /// The list in PEM, signed by the issuer of the certificates. It is valid as long as the issuer: a
    /// broker refuses every client once its list has expired.
    func pem(signedBy issuer: Issuer) throws(IdentityError) -> String {
        try Certificates.revocationList(self, by: issuer)
    }
}
