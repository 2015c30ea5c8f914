/// Stores secrets by name.
public protocol KeychainService: Sendable {
    /// A secret; `nil` if there is none of that name.
    func get(_ name: SecretName) async throws(KeychainError) -> Secret?

    /// Stores a secret in place of one of the same name. When it returns, a power cut does not lose it.
    func set(_ secret: Secret, for name: SecretName) async throws(KeychainError)

    /// Removes a secret.
    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ name: SecretName) async throws(KeychainError) -> Bool

    /// The names of all secrets, sorted.
    func keys() async throws(KeychainError) -> [SecretName]

    /// Replaces a secret if it still is the expected one.
    /// - Parameters:
    ///   - expected: `nil` for no secret.
    ///   - new: `nil` removes it.
    /// - Returns: whether it was the expected one.
    func compareAndSet(
        _ name: SecretName, from expected: Secret?, to new: Secret?
    ) async throws(KeychainError) -> Bool
}
