/// Why OpenSSL refused a broker's certificate.
struct TLSRefusal: Hashable, Sendable {
    /// OpenSSL's code, `X509_V_ERR_…`.
    var code: Int32
    /// OpenSSL's text for the code.
    var reason: String
    /// The position of the refused certificate in the chain: 0 is the broker's, higher ones are its issuers'.
    var depth: Int32
    /// The expected name or address.
    var expectedName: String
    /// The DNS names and addresses in the certificate.
    var names: String

    /// What happened, why, and what to do.
    var message: String {
        switch code {
        case 62, 64: "TLS: \(mismatch)"
        case 18, 19, 20, 21, 2: "TLS: \(subject) is refused (\(reason)): name the CA that issued it"
        case 9, 10: "TLS: \(subject) is refused (\(reason)): renew it, or set the clock"
        default: "TLS: \(subject) is refused (\(reason)): the broker needs another one"
        }
    }

    private var mismatch: String {
        let owner = names.isEmpty ? "carries no name as subject alternative" : "is for \(names)"
        return
            "the certificate \(owner), not for \(expectedName): connect by a name that it is for, "
            + "or set the server name to expect"
    }

    private var subject: String {
        depth == 0 ? "the broker's certificate" : "a certificate of the broker's chain"
    }
}
