import Dashboard
import Homeport
import HomeportCLI

/// The program `homeport-dashboard`, which `homeport serve --http` becomes: the same verbs, and the
/// dashboard.
@main
enum DashboardProgram {
    static func main() async { await HomeportCommand.main(dashboard: HomeDashboard.self) }
}

/// The dashboard as `homeport serve` sees it.
struct HomeDashboard: DashboardServer {
    private let dashboard: Dashboard

    init(_ options: DashboardOptions) throws(Failure) {
        do {
            let credentials: CredentialsReference? =
                if let file = options.httpCredentialsFile {
                    try CredentialsReference(file)
                } else { nil }
            dashboard = try Dashboard(
                DashboardConfiguration(
                    address: try DashboardAddress(options.http ?? ""),
                    certificate: options.httpCertFile, key: options.httpKeyFile,
                    credentials: credentials))
        } catch let error as DashboardError {
            throw Failure(error)
        } catch {
            throw Failure(.wrongInput, "\(error)")
        }
    }

    func run(
        _ home: Home, _ options: VerbOptions, onListening: @escaping @Sendable (String) -> Void
    ) async throws(Failure) {
        let tools = HomeTools(
            logger: options.logger, doctor: { await options.findings() },
            authority: { try options.identityAuthority() },
            keychain: { try StandardKeychain.open() })
        do {
            try await dashboard.run(home, tools, onListening: onListening)
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    /// A dashboard that cannot be served, or is served no more.
    fileprivate init(_ error: DashboardError) {
        switch error.code {
        case .options: self.init(.usage, error.message)
        case .files: self.init(.wrongInput, error.message)
        case .address, .failed: self.init(.internalError, error.message)
        }
    }
}
