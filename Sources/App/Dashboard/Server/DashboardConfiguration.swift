public import Credentials

/// How the dashboard is served.
public struct DashboardConfiguration: Sendable {
    /// Where it listens.
    public let address: DashboardAddress
    /// Files of its certificate and key; `nil` without TLS.
    let identity: (certificate: String, key: String)?
    /// What a browser without the link must know; `nil` where only the link lets in.
    let login: Login?

    /// Whether browsers use it under a host name of its own below `localhost`. A certificate does not name it.
    var hasOwnHost: Bool { identity == nil && address.isLocalhost }

    /// Checks that the options fit together.
    /// - Parameters:
    ///   - certificate: a PEM file with the certificate and its chain.
    ///   - key: a PEM file with its key; `nil` for the one in `certificate`.
    ///   - credentials: a file with user name and password, or `keychain:NAME`.
    /// - Throws: ``DashboardError`` `options`, `files`. An address that other machines reach needs
    ///   both TLS and credentials.
    public init(
        address: DashboardAddress, certificate: String? = nil, key: String? = nil,
        credentials: CredentialsReference? = nil
    ) throws(DashboardError) {
        self.address = address
        guard let certificate else {
            guard key == nil else {
                throw DashboardError(
                    .options, "--http-key-file needs --http-cert-file, its certificate")
            }
            guard address.isLoopback else { throw .unprotected(address, "TLS") }
            identity = nil
            login = try Self.read(credentials)
            return
        }
        guard address.isLoopback || credentials != nil else {
            throw .unprotected(address, "a password")
        }
        identity = (certificate, key ?? certificate)
        login = try Self.read(credentials)
    }

    private static func read(
        _ reference: CredentialsReference?
    ) throws(DashboardError) -> Login? {
        guard let reference else { return nil }
        let login: Login?
        do {
            login = Login(try reference.read())
        } catch {
            throw DashboardError(.files, error.message)
        }
        guard let login else {
            throw DashboardError(
                .files, "the credentials of the dashboard have no password; add a line password=…")
        }
        return login
    }
}

extension DashboardError {
    fileprivate static func unprotected(
        _ address: DashboardAddress, _ missing: String
    ) -> DashboardError {
        DashboardError(
            .options,
            "other machines reach \(address), so it needs \(missing): pass --http-cert-file and "
                + "--http-credentials-file, or listen on 127.0.0.1")
    }
}
