public import Homeport
public import Logging

/// What the dashboard needs beyond the home itself.
public struct HomeTools: Sendable {
    let logger: Logger
    let doctor: @Sendable () async -> [Finding]
    let authority: @Sendable () throws -> IdentityAuthority
    let keychain: @Sendable () throws -> any KeychainService

    /// - Parameters:
    ///   - logger: is told what the web server does.
    ///   - doctor: finds out what is wrong with the set-up.
    ///   - authority: issues the certificate of a device that comes into the home.
    ///   - keychain: where a Wi-Fi password is while it is needed.
    public init(
        logger: Logger, doctor: @escaping @Sendable () async -> [Finding],
        authority: @escaping @Sendable () throws -> IdentityAuthority,
        keychain: @escaping @Sendable () throws -> any KeychainService
    ) {
        self.logger = logger
        self.doctor = doctor
        self.authority = authority
        self.keychain = keychain
    }
}
