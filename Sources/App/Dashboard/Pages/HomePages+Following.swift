internal import AppCoordination
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

    /// Asks the fleets of simulated devices again while a page shows one.
    private func follow(_ simulation: SimulationCoordinator) async {
        while !Task.isCancelled {
            do { try await Task.sleep(for: Self.simulationPeriod) } catch { return }
            let shown = Set(livePages.filter { $0.value.isWatched }.map(\.key.route))
            for case .device(let id) in shown { await simulation.device(id).appeared() }
        }
    }

    /// How late a fault that others let happen may be on a page.
    private static let simulationPeriod = Duration.seconds(2)
}
