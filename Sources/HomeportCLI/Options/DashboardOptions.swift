import ArgumentParser
import Dashboard
import Homeport

/// Whether and how `homeport serve` offers the dashboard.
struct DashboardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the dashboard on this address and print its link on stderr.",
            discussion: """
                A numeric address or localhost, such as 127.0.0.1:8080; port 0 takes a free one. An \
                address that other machines reach needs a certificate and credentials.
                """,
            valueName: "host:port"),
        transform: address)
    var http: DashboardAddress?

    @Option(
        help: ArgumentHelp(
            "The certificate of the dashboard, with its chain; makes it use TLS.",
            valueName: "file"),
        completion: .file())
    var httpCertFile: String?

    @Option(
        help: ArgumentHelp(
            "The key of --http-cert-file.", discussion: "Default: read from --http-cert-file.",
            valueName: "file"),
        completion: .file())
    var httpKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "User name and password that let a browser in without the link.",
            discussion: """
                Two lines, username=… and password=…; the file must be yours, with mode 0600. \
                Or keychain:NAME, a secret with these lines ('homeport keychain').
                """,
            valueName: "file"),
        completion: .file())
    var httpCredentialsFile: String?

    @Sendable
    private static func address(_ text: String) throws -> DashboardAddress {
        do {
            return try DashboardAddress(text)
        } catch {
            throw ValidationError(error.message)
        }
    }

    func validate() throws {
        let others = [httpCertFile, httpKeyFile, httpCredentialsFile]
        guard http != nil || others.allSatisfy({ $0 == nil }) else {
            throw ValidationError(
                "--http-cert-file, --http-key-file and --http-credentials-file need --http")
        }
    }

    /// The dashboard that is asked for; `nil` for none.
    /// - Throws: ``Failure`` where it cannot be served like that.
    func dashboard() throws(Failure) -> Dashboard? {
        guard let http else { return nil }
        do {
            let credentials: CredentialsReference? =
                if let httpCredentialsFile {
                    try CredentialsReference(httpCredentialsFile)
                } else { nil }
            return try Dashboard(
                try DashboardConfiguration(
                    address: http, certificate: httpCertFile, key: httpKeyFile,
                    credentials: credentials))
        } catch let error as DashboardError {
            throw Failure(error)
        } catch {
            throw Failure(.wrongInput, "\(error)")
        }
    }
}

extension Failure {
    /// A dashboard that cannot be served, or is served no more.
    init(_ error: DashboardError) {
        switch error.code {
        case .options: self.init(.usage, error.message)
        case .files: self.init(.wrongInput, error.message)
        case .address, .failed: self.init(.internalError, error.message)
        }
    }
}

extension VerbOptions {
    /// What the dashboard of the home needs beyond the home itself.
    var dashboardTools: HomeTools {
        HomeTools(
            logger: common.logger, doctor: { await findings() },
            authority: { try common.identityAuthority() },
            keychain: { try StandardKeychain.open() })
    }
}
