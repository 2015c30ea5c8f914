public import AppCoordination
internal import DeviceControl
public import DeviceDomain
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
public import Logging
internal import NIOCore

/// The view of a home in a browser.
///
/// It serves until its task is cancelled, and ends within a second then, whatever browsers have open.
public struct Dashboard: Sendable {
    private let configuration: DashboardConfiguration
    private let gate: Gate

    /// Reads the certificate and sees whether the address is free; nothing is served before
    /// ``run(_:of:logger:onListening:)``.
    /// - Throws: ``DashboardError`` `files`, `address`.
    public init(_ configuration: DashboardConfiguration) throws(DashboardError) {
        self.configuration = configuration
        gate = Gate(login: configuration.login) { MachineClock.wallTime }
        _ = try server()
        try configuration.address.requireFree()
    }
}

extension Dashboard {
    /// How long a connection without a request is kept, in seconds.
    private static let idleSeconds: Int64 = 75
    /// Connections at a time; more wait.
    private static let mostConnections = 512
    /// How often pages show the time anew, and browsers get a sign that the server is there.
    private static let tick = Duration.seconds(15)

    /// Serves the home until the task is cancelled.
    /// - Parameters:
    ///   - app: what is shown and done; it runs for as long.
    ///   - home: names the home.
    ///   - logger: is told what the web server does.
    ///   - onListening: is told the link that lets a browser in.
    /// - Throws: ``DashboardError`` `files`, `address`, `failed`.
    public func run(
        _ app: AppCoordinator, of home: HomeID, logger: Logger,
        onListening: @escaping @Sendable (String) -> Void
    ) async throws(DashboardError) {
        let usesTLS = configuration.identity != nil
        let pages = await HomePages(app, of: home)
        let site = await DashboardSite(
            home: home.text, gate: gate, usesTLS: usesTLS, pages: pages)
        let application = Application(
            responder: DashboardResponder(site: site),
            server: try server(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.address.host, port: configuration.address.port),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.address.port
                await site.listen(for: requestGuard(port))
                onListening(link(port))
            },
            logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await application.run() }
                group.addTask { await pages.run(tick: Self.tick) }
                try await group.next()
            }
        } catch {
            throw DashboardError(
                .failed, "the dashboard on \(configuration.address) failed: \(error)")
        }
    }

    private func server() throws(DashboardError) -> HTTPServerBuilder {
        let plain = HTTPServerBuilder.http1(
            configuration: .init(idleTimeout: .seconds(Self.idleSeconds)))
        guard let identity = configuration.identity else { return plain }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
            let key = try NIOSSLPrivateKey(file: identity.key, format: .pem)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            tls.minimumTLSVersion = .tlsv12
            return try .tls(plain, tlsConfiguration: tls)
        } catch {
            throw DashboardError(
                .files,
                "cannot use the certificate \(identity.certificate) with the key \(identity.key): "
                    + "\(error); name PEM files that belong together")
        }
    }

    private func requestGuard(_ port: Int) -> RequestGuard {
        let address = configuration.address
        var hosts: Set<String> = [address.host]
        if address.isLoopback {
            hosts.formUnion(["localhost", "127.0.0.1", "::1"])
        } else {
            hosts.formUnion(MachineNames.all)
        }
        return RequestGuard(
            hosts: hosts, allowsNumericHosts: !address.isLoopback, port: port,
            usesTLS: configuration.identity != nil)
    }

    private func link(_ port: Int) -> String {
        let scheme = configuration.identity == nil ? "http" : "https"
        let host = configuration.address.reachableHost
        return "\(scheme)://\(host):\(port)/?token=\(gate.token.text)"
    }
}
