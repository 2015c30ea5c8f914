/// The keychain of a user: a service that also tells where it is, and can be read by a thread that may
/// block.
public protocol UserKeychain: KeychainService {
    /// Where the secrets are.
    var place: KeychainPlace { get }

    /// As ``KeychainService/get(_:)``, on the caller's thread, which it blocks.
    func read(_ name: SecretName) throws(KeychainError) -> Secret?

    /// Makes a new master key, and encrypts the keys of all secrets with it.
    /// - Throws: ``KeychainError`` `notFound` if there is no keychain; `unavailable` where the backend has no
    ///   master key of its own.
    func rotate() async throws(KeychainError)

    /// Reads everything.
    /// - Returns: how many secrets there are; `nil` if there is no keychain.
    /// - Throws: ``KeychainError``: what is wrong with it.
    func check() async throws(KeychainError) -> Int?
}

/// Where the secrets of a keychain are.
public struct KeychainPlace: Hashable, Sendable {
    /// What stores them: `encrypted-file`, `secret-service`.
    public let backend: String
    /// The file, where there is one.
    public let file: String?
    /// Where the master key comes from; `nil` where the backend looks after it.
    public let key: MasterKeySource?
}
