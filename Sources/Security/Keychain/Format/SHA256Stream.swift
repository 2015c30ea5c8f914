internal import COpenSSL

/// The SHA-256 of bytes that come one after the other (FIPS 180-4).
package final class SHA256Stream {
    private let context: OpaquePointer

    /// The hash of no bytes.
    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        else { preconditionFailure("SHA-256 fails without memory alone") }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes.
    package func add(_ bytes: [UInt8]) { EVP_DigestUpdate(context, bytes, bytes.count) }

    /// The hash of all bytes so far; more may follow.
    package var digest: [UInt8] {
        var digest = [UInt8](repeating: 0, count: Cryptography.keySize)
        guard let copy = EVP_MD_CTX_new() else { return digest }
        EVP_MD_CTX_copy_ex(copy, context)
        EVP_DigestFinal_ex(copy, &digest, nil)
        EVP_MD_CTX_free(copy)
        return digest
    }
}
