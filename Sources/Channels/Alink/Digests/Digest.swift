internal import COpenSSL

/// The digests of Alink and of the platform's API. The only file of this room that knows OpenSSL.
///
/// MD5 and SHA-1 are what the platform's signatures are defined with; both are only used as HMAC.
package enum Digest {
    /// The hash of an HMAC.
    package enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case md5, sha1, sha256
    }

    /// SHA-256 (FIPS 180-4), 32 bytes.
    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        copenssl_sha256(message, message.count, &digest)
        return digest
    }

    /// HMAC (RFC 2104): 16 bytes with MD5, 20 with SHA-1, 32 with SHA-256.
    package static func hmac(_ message: [UInt8], key: [UInt8], _ algorithm: Algorithm) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let hash = HMAC(
            algorithm.function, key, Int32(key.count), message, message.count, &code, &count)
        precondition(hash != nil, "HMAC fails without memory alone")
        return Array(code.prefix(Int(count)))
    }
}

extension Digest.Algorithm {
    fileprivate var function: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        }
    }
}
