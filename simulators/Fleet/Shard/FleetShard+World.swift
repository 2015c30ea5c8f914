import DeviceDomain
import DeviceSimulation

// The world clock under control: connections, acknowledgements and expiry go on meanwhile.
extension FleetShard {
    /// How far the world is taken at once, so that no sample counts as late.
    private static let stride = Duration.seconds(5)

    /// Lets the world stand still.
    /// - Returns: what its clock shows.
    func pauseWorld() -> Timestamp {
        let world = settings.clock.pause()
        wakeAll()
        return world
    }

    /// Lets a world go on that stood still.
    /// - Parameter time: the monotonic time at which it shows what it showed.
    func resumeWorld(at time: Duration) {
        settings.clock.resume(at: time)
        wakeAll()
    }

    /// The next instant of any device; `nil` without devices.
    var nextInstant: Timestamp? { homes.nextInstant }

    /// Takes a world that stands still to an instant, serving connections in between.
    func advanceWorld(to target: Timestamp) async {
        let clock = settings.clock
        while life.isAlive, clock.isPaused, clock.now.world < target {
            let before = clock.now.world
            clock.advance(to: min(target, before.advanced(by: Self.stride)))
            guard clock.now.world > before else { return }
            wakeAll()
            await Task.yield()
        }
    }
}
