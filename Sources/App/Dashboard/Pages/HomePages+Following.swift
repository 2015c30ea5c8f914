internal import AppCoordination
internal import DeviceControlPresentation
internal import DeviceDomain
internal import SharedPresentation
internal import SimulationPresentation

// What open pages show changes also without a message of a device.
extension HomePages {
    /// Keeps the app up to date, and open pages on time, until the task is cancelled.
    /// - Parameter tick: how often open pages show the time anew.
    func run(tick: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.app.run() }
            group.addTask { await self.keepTime(tick) }
            group.addTask { await self.keepBeating() }
            group.addTask { await self.keepReading() }
            if let simulation = self.app.simulation {
                group.addTask { await self.follow(simulation) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func keepTime(_ tick: Duration) async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: tick) } catch { return }
            livePages = livePages.filter { $0.value.isWatched }
            for page in livePages.values { page.invalidate() }
        }
    }

    private func keepBeating() async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: EventFeed.beat) } catch { return }
            for page in livePages.values { page.beat() }
        }
    }

    private func keepReading() async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.readingPeriod) } catch { return }
            await readShown()
        }
    }

    /// Reads again what open pages show and other processes may have changed: commands and rooms.
    func readShown() async {
        guard let control = app.deviceControl else { return }
        for route in Set(livePages.filter { $0.value.isWatched }.map(\.key.route)) {
            switch route {
            case .home: await control.home.appeared()
            case .rooms: await control.rooms.appeared()
            case .queue: await control.queue.appeared()
            case .device(let id): await control.device(id).appeared()
            case .command(let id):
                let command = control.command(id)
                await command.appeared()
                // The page hears of its command by the list of the device.
                guard let device = command.state.content?.summary.device else { continue }
                await control.device(device).appeared()
            case .plan, .energy, .history, .events, .schedules, .rules, .provisioning, .channels,
                .settings, .notFound:
                continue
            }
        }
    }

    /// Asks the fleets of simulated devices again while a page shows one.
    private func follow(_ simulation: SimulationCoordinator) async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.simulationPeriod) } catch { return }
            let shown = Set(livePages.filter { $0.value.isWatched }.map(\.key.route))
            for case .device(let id) in shown { await simulation.device(id).appeared() }
        }
    }

    /// How late a command or a room of another process may be on a page.
    private static let readingPeriod = Duration.seconds(5)
    /// How late a fault that others let happen may be on a page.
    private static let simulationPeriod = Duration.seconds(2)
}
