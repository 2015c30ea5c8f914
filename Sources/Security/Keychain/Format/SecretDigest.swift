internal import Basics

/// Stands for a secret where the secret itself must not be kept: SHA-256 (FIPS 180-4). Only for secrets that
/// nobody can guess, such as 256 random bits; a password needs a slow function.
package struct SecretDigest: Hashable, Sendable {
    /// 64 hexadecimal digits.
    package let text: String

    /// The digest of a secret.
    /// - Parameter purpose: secrets that are made from one secret for two purposes differ.
    package init(of secret: String, for purpose: String) {
        text = Cryptography.sha256(Array("\(purpose)\0\(secret)".utf8)).hexadecimal
    }
}
