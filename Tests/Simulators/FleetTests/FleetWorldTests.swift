import DeviceDomain
import DeviceSimulation
import TestSupport
import Testing

@testable import Fleet

/// The world clock of a running fleet.
@Suite(.timeLimit(.minutes(1))) struct FleetWorldTests {
    private static let epoch = Timestamp(milliseconds: 1_782_036_000_000)

    /// A fleet whose world is so slow that it stands still for a test that does not move it.
    private func withSlowFleet(
        lasting duration: Duration? = nil, _ body: (RunningFleet, FleetClock) async throws -> Void
    ) async throws {
        let clock = FleetClock.forRun(
            epoch: Self.epoch, after: nil, speed: 0.01, lasting: duration)
        try await withBroker { broker in
            try await withFleet(
                DeviceCounts(sweepers: 1, stores: 1), on: broker.url, clock: clock
            ) { running in
                try await running.notice(beginning: "ready 2 devices")
                try await body(running, clock)
            }
        }
    }

    @Test func thePausedWorldGoesToTheInstantsOfItsDevices() async throws {
        try await withSlowFleet { running, clock in
            let fleet = running.fleet
            let paused = await fleet.pauseWorld()
            #expect(paused >= Self.epoch && clock.isPaused)
            var instants: [Timestamp] = []
            for _ in 0..<20 {
                let next = try #require(await fleet.nextInstant())
                #expect(next > clock.now.world)
                await fleet.advanceWorld(to: next)
                #expect(clock.now.world == next)
                instants.append(next)
            }
            let between = instants.filter { $0.milliseconds % 1000 != 0 }
            #expect(!between.isEmpty, "sampling instants")
            #expect(instants.count - between.count >= 10, "whole seconds")
            #expect(await fleet.snapshot().tally.sent["telemetry"] ?? 0 >= between.count)
        }
    }

    /// Every sample of an hour is there: none of them is late.
    @Test func aLongStepLeavesNothingOut() async throws {
        try await withSlowFleet { running, clock in
            let fleet = running.fleet
            let paused = await fleet.pauseWorld()
            let before = await fleet.snapshot().tally.sent["telemetry"] ?? 0
            await fleet.advanceWorld(to: paused.advanced(by: .seconds(3600)))
            let after = await fleet.snapshot()
            #expect((after.tally.sent["telemetry"] ?? 0) - before == 2 * 720)
            #expect(after.lateness.largest < 1000 && after.worldSeconds >= 3600)
        }
    }

    @Test func theWorldGoesOnFromWhereItWasPaused() async throws {
        try await withSlowFleet { running, clock in
            let paused = await running.fleet.pauseWorld()
            await running.fleet.resumeWorld(at: clock.monotonicTime)
            #expect(!clock.isPaused && clock.now.world.since(paused) < .seconds(1))
            #expect(clock.now.pace == 0.01)
        }
    }

    @Test func aStepDoesNotGoBeyondTheEndOfTheRun() async throws {
        try await withSlowFleet(lasting: .seconds(1000)) { running, clock in
            let paused = await running.fleet.pauseWorld()
            await running.fleet.advanceWorld(to: paused.advanced(by: .seconds(60)))
            #expect(clock.now.world == Self.epoch.advanced(by: .seconds(10)))
        }
    }
}
