import Fleet
import LocalServices
import Reports
import ServiceLifecycle
import TerminalOutput

/// Shows on a terminal how a fleet does while it runs; elsewhere lines are all there is.
struct LiveView: Service {
    /// How often it is drawn until all devices are ready.
    private static let startPause = Duration.milliseconds(250)
    /// How often it is drawn from then on: a snapshot goes through all devices.
    private static let pause = Duration.seconds(1)

    let board: LiveBoard
    let fleet: WholeFleet

    func run() async throws {
        defer { board.finish() }
        try? await cancelWhenGracefulShutdown { try await draw() }
    }

    private func draw() async throws {
        var former: LiveFrame.Reading?
        while true {
            let reading = LiveFrame.Reading(await fleet.snapshot(), at: fleet.clock.monotonicTime)
            let world = fleet.world
            let clock = LiveFrame.Clock(
                text: LocalTime.dateAndTime(world.instant), speed: world.speed,
                isPaused: world.isPaused)
            if board.isInFront {
                board.show(
                    LiveFrame(reading, after: former, clock: clock, in: board.layout).lines)
            } else {
                board.finish()
            }
            former = reading
            try await ContinuousClock().sleep(
                for: reading.isReady ? Self.pause : Self.startPause)
        }
    }
}
