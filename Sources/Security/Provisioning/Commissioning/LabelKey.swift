internal import Keychain

/// The key of the labels that stand for codes in records: with it alone a code can be compared with them.
enum LabelKey {
    private static let account = "matter-labels"
    private static let service = "homeport-provisioning"

    /// The key; a new one where there is none.
    static func key(in keychain: any KeychainService) async throws(ProvisioningError) -> Secret {
        do throws(KeychainError) {
            let name = try SecretName(account, service: service)
            if let key = try await keychain.get(name) { return key }
            let new = Secret(
                (0..<32).map { _ in UInt8.random(in: .min ... .max) })
            if try await keychain.compareAndSet(name, from: nil, to: new) { return new }
            // Another process was first.
            return try await keychain.get(name) ?? new
        } catch {
            throw ProvisioningError(error)
        }
    }
}
