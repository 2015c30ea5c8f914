internal import AppCoordination
internal import DeviceControlPresentation
internal import SharedPresentation

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

    /// Reads again what open pages show and other processes may have changed: commands, rooms and the faults of simulated
    /// devices.
    func readShown() async {
        let shown = livePages.filter { $0.value.isWatched }
        await app.deviceControl?.readAgain(Set(shown.keys.map(\.route)))
        for page in shown.values { await page.readAgain() }
    }

    /// How late what another process has changed may be on a page.
    private static let readingPeriod = Duration.seconds(5)
}
