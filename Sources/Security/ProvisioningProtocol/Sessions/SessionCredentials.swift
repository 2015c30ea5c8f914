package import Keychain

/// What a client knows of a device's security scheme.
package enum SessionCredentials: Equatable, Sendable {
    /// Security 0.
    case unprotected
    /// Security 1 with the proof of possession; an empty one where the device asks for none.
    case proofOfPossession(Secret)
    /// Security 2 with a user and the password.
    case password(username: String, Secret)

    /// The scheme.
    package var security: ProvisioningSecurity {
        switch self {
        case .unprotected: .unprotected
        case .proofOfPossession: .proofOfPossession
        case .password: .password
        }
    }
}
