public import AppCoordination
internal import Basics
internal import DeviceControl
public import DeviceDomain
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Keychain
public import Logging
internal import MQTTClient
internal import NIOCore

/// The view of a home in a browser.
///
/// It serves until its task is cancelled, and ends within a second then, whatever browsers have open.
public struct Dashboard: Sendable {
    /// What the server has once it listens.
    private final class Listener: Sendable {
        /// Where it listens, without a path.
        let base = Guarded<String?>(nil)
        /// Keeps other programs from the other address of `localhost`.
        let otherLocalhost: Guarded<HeldPort?>

        init(_ held: HeldPort?) { otherLocalhost = Guarded(held) }
    }

    private let configuration: DashboardConfiguration
    private let signIn: SignIn
    /// The first label of its own host name.
    private let ownLabel: String
    private let listener: Listener

    /// Reads the certificate and who is signed in, and sees whether the address is free; nothing is served
    /// before ``run(_:of:logger:onListening:)``.
    /// - Throws: ``DashboardError`` `files`, `address`.
    public init(_ configuration: DashboardConfiguration) throws(DashboardError) {
        self.configuration = configuration
        let address = configuration.address
        _ = try Self.server(configuration, OpenConnections())
        try address.requireFree()
        listener = Listener(
            configuration.hasOwnHost && address.port != 0 ? try address.holdOtherLocalhost() : nil)
        let file = try Self.accessFile(of: address)
        let record = try Self.record(in: file)
        ownLabel = record.host
        let now: @Sendable () -> Timestamp = { MachineClock.wallTime }
        signIn = SignIn(
            login: configuration.login, sessions: SessionStore(record, in: file, now: now), now: now
        )
    }

    /// A port that is chosen anew at each start has nothing to remember.
    private static func accessFile(
        of address: DashboardAddress
    ) throws(DashboardError) -> AccessFile? {
        guard address.port != 0 else { return nil }
        do { return try AccessFile(of: address) } catch {
            throw DashboardError(
                .files,
                "cannot keep who is signed in to the dashboard: \(error.message); set XDG_STATE_HOME"
            )
        }
    }

    private static func record(in file: AccessFile?) throws(DashboardError) -> AccessRecord {
        do { return try file?.record() ?? AccessRecord() } catch {
            throw DashboardError(
                .files, "cannot keep who is signed in to the dashboard: \(error.message)")
        }
    }

    /// A link that lets one browser in; `nil` while the dashboard does not listen.
    public func newLink() -> String? {
        guard let base = listener.base.withLock(\.self) else { return nil }
        return "\(base)/?token=\(signIn.links.issue().text)"
    }
}

extension Dashboard {
    /// How long a connection of a signed-in browser is kept without a request, in seconds.
    private static let idleSeconds: Int64 = 75
    /// How often pages show the time anew, and browsers get a sign that the server is there.
    private static let tick = Duration.seconds(15)

    /// Serves the home until the task is cancelled.
    /// - Parameters:
    ///   - app: what is shown and done; it runs for as long.
    ///   - home: names the home.
    ///   - logger: is told what the web server does.
    ///   - report: is told what the user should know.
    ///   - onListening: is told a link that lets one browser in.
    /// - Throws: ``DashboardError`` `files`, `address`, `failed`.
    public func run(
        _ app: AppCoordinator, of home: HomeID, logger: Logger,
        report: @escaping @Sendable (String) -> Void,
        onListening: @escaping @Sendable (String) -> Void
    ) async throws(DashboardError) {
        let pages = await HomePages(app, of: home)
        try await run(
            pages, of: home.text, logger: logger, report: report, onListening: onListening
        ) {
            await pages.run(tick: Self.tick)
        }
    }

    /// Serves pages until the task is cancelled.
    /// - Parameters:
    ///   - logger: is told what the web server does; by default nothing is said.
    ///   - meanwhile: keeps the pages up to date.
    func run(
        _ pages: any PageSource, of home: String,
        logger: Logger = Logger(label: "homeport") { _ in SwiftLogNoOpLogHandler() },
        connections: OpenConnections = OpenConnections(),
        report: @escaping @Sendable (String) -> Void,
        onListening: @escaping @Sendable (String) -> Void,
        meanwhile: @escaping @Sendable () async -> Void
    ) async throws(DashboardError) {
        let site = await DashboardSite(
            home: home, signIn: signIn, usesTLS: configuration.identity != nil, pages: pages,
            report: report)
        let application = Application(
            responder: DashboardResponder(site: site, connections: connections),
            server: try Self.server(configuration, connections),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.address.host, port: configuration.address.port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.address.port
                await listen(on: port, site, report)
                if let link = newLink() { onListening(link) }
            },
            logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await application.run() }
                group.addTask { await meanwhile() }
                try await group.next()
            }
        } catch {
            throw DashboardError(
                .failed, "the dashboard on \(configuration.address) failed: \(error)")
        }
    }

    /// Opens the site for the port that it listens on.
    private func listen(
        on port: Int, _ site: DashboardSite, _ report: @Sendable (String) -> Void
    ) async {
        let ownHost = canHaveOwnHost(on: port, report) ? "\(ownLabel).localhost" : nil
        await site.listen(
            for: requestGuard(port, ownHost: ownHost), ownHost: ownHost.map { "\($0):\(port)" })
        let scheme = configuration.identity == nil ? "http" : "https"
        listener.base.withLock {
            $0 = "\(scheme)://\(configuration.address.reachableHost):\(port)"
        }
    }

    /// Whether names below `localhost` lead here and nowhere else.
    private func canHaveOwnHost(
        on port: Int, _ report: @Sendable (String) -> Void
    ) -> Bool {
        guard configuration.hasOwnHost, configuration.address.port == 0 else {
            return configuration.hasOwnHost
        }
        var address = configuration.address
        address.port = port
        do {
            let held = try address.holdOtherLocalhost()
            listener.otherLocalhost.withLock { $0 = held }
            return true
        } catch {
            report(
                "the dashboard has no host name of its own, so programs on other ports receive its "
                    + "cookie: \(error.message)")
            return false
        }
    }

    private static func server(
        _ configuration: DashboardConfiguration, _ connections: OpenConnections
    ) throws(DashboardError) -> HTTPServerBuilder {
        let plain = HTTP1Channel.Configuration(idleTimeout: .seconds(idleSeconds))
        guard let identity = configuration.identity else {
            return HTTPServerBuilder { responder in
                WatchedChannel(
                    base: HTTP1Channel(responder: responder, configuration: plain),
                    connections: connections)
            }
        }
        do {
            try TLSFile(identity.certificate, "certificate file of the dashboard").check()
            try TLSFile(identity.key, "key file of the dashboard").check(isSecret: true)
        } catch {
            throw DashboardError(.files, error.message)
        }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
            let key = try NIOSSLPrivateKey(file: identity.key, format: .pem)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            tls.minimumTLSVersion = .tlsv12
            // Says now what is wrong with the two files.
            _ = try TLSChannel(HTTP1Channel { _, _, _ in }, tlsConfiguration: tls)
            return HTTPServerBuilder { [tls] responder in
                WatchedChannel(
                    base: try TLSChannel(
                        HTTP1Channel(responder: responder, configuration: plain),
                        tlsConfiguration: tls),
                    connections: connections)
            }
        } catch {
            throw DashboardError(
                .files,
                "cannot use the certificate \(identity.certificate) with the key \(identity.key): "
                    + "\(error); name PEM files that belong together")
        }
    }

    private func requestGuard(_ port: Int, ownHost: String?) -> RequestGuard {
        let address = configuration.address
        var hosts: Set<String> = [address.host]
        if address.isLoopback {
            hosts.formUnion(["localhost", "127.0.0.1", "::1"])
        } else {
            hosts.formUnion(MachineNames.all)
        }
        if let ownHost { hosts.insert(ownHost) }
        return RequestGuard(
            hosts: hosts, allowsNumericHosts: !address.isLoopback, port: port,
            usesTLS: configuration.identity != nil)
    }
}
