internal import CSecretService

/// Secrets in the Secret Service of the desktop session, such as GNOME Keyring or KWallet, by libsecret.
/// The service encrypts them and asks the user to unlock it.
public struct SecretServiceKeychain: UserKeychain {
    /// A file that processes of Homeport lock while they compare and set.
    private let lockPath: String

    /// - Parameter lockPath: a file that processes of Homeport lock while they change a secret.
    public init(lockPath: String) { self.lockPath = lockPath }

    public var place: KeychainPlace {
        KeychainPlace(backend: "secret-service", file: nil, key: nil)
    }

    // MARK: Service

    public func get(_ name: SecretName) async throws(KeychainError) -> Secret? {
        try await blocking { () throws(KeychainError) in try read(name) }
    }

    public func set(_ secret: Secret, for name: SecretName) async throws(KeychainError) {
        try await blocking { () throws(KeychainError) in try store(secret, for: name) }
    }

    public func remove(_ name: SecretName) async throws(KeychainError) -> Bool {
        try await blocking { () throws(KeychainError) in try clear(name) }
    }

    public func keys() async throws(KeychainError) -> [SecretName] {
        try await blocking { () throws(KeychainError) in try list() }
    }

    public func compareAndSet(
        _ name: SecretName, from expected: Secret?, to new: Secret?
    ) async throws(KeychainError) -> Bool {
        try await blocking { () throws(KeychainError) in
            let lock = try KeychainLock(making: lockPath)
            defer { withExtendedLifetime(lock) {} }
            guard try read(name) == expected else { return false }
            if let new { try store(new, for: name) } else { _ = try clear(name) }
            return true
        }
    }

    public func rotate() async throws(KeychainError) {
        throw KeychainError(
            .unavailable,
            "the secret service looks after its own master key; change its password in the desktop's "
                + "settings")
    }

    public func check() async throws(KeychainError) -> Int? {
        let names = try await keys()
        for name in names { _ = try await get(name) }
        return names.count
    }

    // MARK: Calls

    public func read(_ name: SecretName) throws(KeychainError) -> Secret? {
        let found = Found()
        let context = Unmanaged.passUnretained(found).toOpaque()
        let isThere = try Self.call { message, size in
            csecret_lookup(name.service, name.account, keep, context, message, size)
        }
        return isThere ? found.parts.first : nil
    }

    private func store(_ secret: Secret, for name: SecretName) throws(KeychainError) {
        try Vault.checkSize(of: secret)
        _ = try Self.call { message, size in
            secret.withUnsafeBytes { bytes in
                csecret_store(
                    name.service, name.account, bytes.baseAddress, bytes.count, message, size)
            }
        }
    }

    private func clear(_ name: SecretName) throws(KeychainError) -> Bool {
        try Self.call { message, size in
            csecret_clear(name.service, name.account, message, size)
        }
    }

    private func list() throws(KeychainError) -> [SecretName] {
        let found = Found()
        let context = Unmanaged.passUnretained(found).toOpaque()
        _ = try Self.call { message, size in csecret_list(keep, context, message, size) }
        let texts = found.parts.map { part in
            part.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        var names: [SecretName] = []
        for index in stride(from: 0, to: texts.count - 1, by: 2) {
            names.append(try SecretName(texts[index + 1], service: texts[index]))
        }
        return names.sorted()
    }

    /// - Returns: whether there was such a secret.
    private static func call(
        _ body: (UnsafeMutablePointer<CChar>, Int) -> csecret_result
    ) throws(KeychainError) -> Bool {
        var message = [CChar](repeating: 0, count: 512)
        let result = message.withUnsafeMutableBufferPointer { buffer -> csecret_result? in
            guard let base = buffer.baseAddress, csecret_load(base, buffer.count) else {
                return nil
            }
            return body(base, buffer.count)
        }
        guard let result, result != CSECRET_FAILED else {
            let reason = String(
                decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw KeychainError(
                .unavailable,
                "the secret service of the session cannot be used: \(reason); unset HOMEPORT_KEYCHAIN "
                    + "to use the encrypted file")
        }
        return result == CSECRET_DONE
    }
}

/// What a call hands over.
private final class Found {
    var parts: [Secret] = []
}

/// Copies what a call hands over, during the call.
private func keep(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int) {
    guard let context else { return }
    let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
    found.parts.append(Secret(UnsafeRawBufferPointer(start: bytes, count: count)))
}
