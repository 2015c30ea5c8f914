import Dashboard
import Homeport
import HomeportApp
import HomeportCLI

/// The program `homeport-dashboard`, which `homeport serve --http` becomes: the same verbs, and the
/// dashboard.
@main
enum DashboardProgram {
    static func main() async {
        await HomeportCommand.main { options throws(CommandLineError) in
            HomeDashboard(try Dashboard(options))
        }
    }
}

extension Dashboard {
    fileprivate init(_ options: DashboardOptions) throws(CommandLineError) {
        do {
            let credentials = try options.httpCredentialsFile.map(CredentialsReference.init)
            try self.init(
                DashboardConfiguration(
                    address: try DashboardAddress(options.http ?? ""),
                    certificate: options.httpCertFile, key: options.httpKeyFile,
                    credentials: credentials))
        } catch let error as DashboardError {
            throw CommandLineError(error)
        } catch {
            throw CommandLineError(.wrongInput, "\(error)")
        }
    }
}

extension HomeDashboard {
    /// The dashboard as `homeport serve` sees it.
    fileprivate init(_ dashboard: Dashboard) {
        let (told, tell) = AsyncStream.makeStream(
            of: (GivenName?, String, Timestamp).self,
            bufferingPolicy: .bufferingNewest(ToldNotice.limit))
        self.init(
            newLink: { dashboard.newLink() },
            notify: { tell.yield(($0, $1, $2)) },
            serve: { home, options, reports throws(CommandLineError) in
                let memory = await HomeMemory(LiveHomeService(home))
                let app = await Self.app(home, memory, options, try options.energyTariff())
                let hearing = Task {
                    for await (rule, text, moment) in told {
                        await memory.ruleTold(text, by: rule, at: moment)
                    }
                }
                defer { hearing.cancel() }
                do throws(DashboardError) {
                    try await dashboard.run(
                        app, of: home.id, logger: options.logger, report: reports.note,
                        onListening: reports.isListening)
                } catch {
                    throw CommandLineError(error)
                }
            })
    }

    /// The parts of the app, a line for each.
    @MainActor
    private static func app(
        _ home: Home, _ memory: HomeMemory, _ options: VerbOptions, _ tariff: EnergyTariff?
    ) -> AppCoordinator {
        AppCoordinator([
            .deviceControl(
                DeviceControlServices(
                    memory: memory,
                    // Each browser keeps its own settings in its cookies.
                    doctor: LiveDoctor { await options.findings() }, settings: InMemorySettings(),
                    clock: MachineClock(), calendar: .system, tariff: tariff)),
            .provisioning(
                LiveProvisioning(
                    home, joiner: NetworkManagerJoiner(),
                    authority: { try options.identityAuthority() },
                    keychain: { try StandardKeychain.open() })),
            .simulation(LocalFleets(), of: memory),
        ])
    }
}

extension CommandLineError {
    /// A dashboard that cannot be served, or is served no more.
    fileprivate init(_ error: DashboardError) {
        switch error.code {
        case .options: self.init(.usage, error.message)
        case .files: self.init(.wrongInput, error.message)
        case .address, .failed: self.init(.internalError, error.message)
        }
    }
}
