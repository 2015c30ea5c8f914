public import Keychain
public import MQTTClient

/// Names user name and password for a broker: a file, or a secret of the user's keychain.
public enum CredentialsReference: Hashable, Sendable {
    private static let prefix = "keychain:"

    /// A file that its user alone can read.
    case file(String)
    /// A secret of the user's keychain that contains what such a file would.
    case keychain(SecretName)

    /// Reads `keychain:NAME`; anything else is the path of a file.
    /// - Throws: ``CredentialsFailure``.
    public init(_ text: String) throws(CredentialsFailure) {
        guard text.hasPrefix(Self.prefix) else {
            self = .file(text)
            return
        }
        do {
            self = .keychain(try SecretName(String(text.dropFirst(Self.prefix.count))))
        } catch {
            throw .keychain(error)
        }
    }

    /// The credentials. Blocks on the file system.
    /// - Throws: ``CredentialsFailure``.
    public func read() throws(CredentialsFailure) -> MQTTCredentials {
        switch self {
        case .file(let path):
            do {
                return try MQTTCredentials(contentsOfFile: path)
            } catch {
                throw .contents(error)
            }
        case .keychain(let name): return try Self.read(name)
        }
    }

    private static func read(_ name: SecretName) throws(CredentialsFailure) -> MQTTCredentials {
        let secret: Secret?
        do {
            secret = try StandardKeychain.open().read(name)
        } catch {
            throw .keychain(error)
        }
        guard let secret else {
            throw .keychain(
                KeychainError(
                    .notFound,
                    "the keychain has no secret \(name); 'homeport keychain set \(name)' stores one"
                ))
        }
        do {
            return try secret.withUnsafeBytes { bytes throws(MQTTError) in
                try MQTTCredentials(
                    text: String(decoding: bytes, as: UTF8.self), named: "\(prefix)\(name)")
            }
        } catch {
            throw .contents(error)
        }
    }
}

/// Why credentials that were named cannot be used.
public enum CredentialsFailure: Error, Sendable, CustomStringConvertible {
    /// The file, or what is in file or secret, is wrong.
    case contents(MQTTError)
    /// The keychain cannot be used, or has no such secret.
    case keychain(KeychainError)

    /// What happened, why, and what to do.
    public var message: String {
        switch self {
        case .contents(let error): error.message
        case .keychain(let error): error.message
        }
    }

    public var description: String { message }
}
