/// Secrets in memory, for tests and previews.
public actor InMemoryKeychain: KeychainService {
    private var secrets: [SecretName: Secret] = [:]

    public init() {}

    public func get(_ name: SecretName) -> Secret? { secrets[name] }

    public func set(_ secret: Secret, for name: SecretName) { secrets[name] = secret }

    public func remove(_ name: SecretName) -> Bool { secrets.removeValue(forKey: name) != nil }

    public func keys() -> [SecretName] { secrets.keys.sorted() }

    public func compareAndSet(
        _ name: SecretName, from expected: Secret?, to new: Secret?
    ) -> Bool {
        guard secrets[name] == expected else { return false }
        secrets[name] = new
        return true
    }
}
