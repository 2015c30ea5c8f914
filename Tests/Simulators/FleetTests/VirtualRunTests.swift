import Basics
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Testing

@testable import Fleet

/// Runs without a broker.
@Suite struct VirtualRunTests {
    private func run(
        homes: Int = 2, seed: UInt64 = 1, epoch: Int = 1_750_500_000_000,
        lasting duration: Duration = .seconds(120)
    ) async throws -> FleetReport {
        let plan = FleetPlan(homes: .numbered(homes), counts: .usual, seed: seed)
        return try await VirtualRun(
            of: plan, seed: seed, telemetryInterval: .seconds(5),
            epoch: Timestamp(milliseconds: epoch), duration: duration
        ).run()
    }

    @Test func twoRunsOfOneSeedSayTheSame() async throws {
        let (one, other) = (try await run(), try await run())
        #expect(one.devices.map(\.hash) == other.devices.map(\.hash))
        #expect(Set(one.devices.map(\.hash)).count == one.devices.count)
        #expect(one.devices.allSatisfy { $0.samples == 24 })
    }

    /// What a home does is its own: others beside it change nothing.
    @Test func aHomeDoesNotDependOnTheOthers() async throws {
        let (one, two) = (try await run(homes: 1), try await run(homes: 2))
        #expect(one.devices.map(\.hash) == two.devices.prefix(one.devices.count).map(\.hash))
    }

    @Test func anotherSeedAndAnotherEpochSaySomethingElse() async throws {
        let hashes = Set(try await run().devices.map(\.hash))
        #expect(hashes.isDisjoint(with: try await run(seed: 2).devices.map(\.hash)))
        #expect(
            hashes.isDisjoint(with: try await run(epoch: 1_750_500_001_000).devices.map(\.hash)))
    }

    @Test func theReportIsJSON() async throws {
        let report = try await run(homes: 1, lasting: .seconds(20))
        let json = try #require(try JSONReader.read(Array(report.json.dropLast())).object)
        #expect(json["v"] == 1 && json["seed"] == 1 && json["worldSeconds"] == 20)
        #expect(json["epoch"] == 1_750_500_000_000)
        let devices = try #require(json["devices"]?.array)
        #expect(devices.count == 7)
        #expect(devices.first?.object?["hash"]?.string?.count == 64)
    }
}

/// The clock of a world.
@Suite struct FleetClockTests {
    /// A clock whose monotonic time is turned by hand.
    private final class Hand: Sendable {
        let seconds = Guarded(0)
        func turn(by more: Int) { seconds.withLock { $0 += more } }
    }

    private func clock(speed: Double, by hand: Hand, end: Int? = nil) -> FleetClock {
        FleetClock(
            epoch: Timestamp(milliseconds: 1_000_000), speed: speed,
            end: end.map(Timestamp.init(milliseconds:)),
            wire: { Timestamp(milliseconds: 7) },
            monotonic: { .seconds(hand.seconds.withLock { $0 }) })
    }

    @Test(arguments: [0.01, 1, 60, 1000])
    func goesAtItsSpeedOnceItHasBegun(speed: Double) {
        let hand = Hand()
        let clock = clock(speed: speed, by: hand)
        hand.turn(by: 50)
        #expect(clock.now.world.milliseconds == 1_000_000 && clock.now.pace == 0)
        clock.begin()
        clock.begin(at: .zero)
        hand.turn(by: 100)
        #expect(clock.now.world.milliseconds == 1_000_000 + Int(100_000 * speed))
        #expect(clock.now.pace == speed && clock.now.wire.milliseconds == 7)
    }

    @Test func standsStillAndIsSetForward() {
        let hand = Hand()
        let clock = clock(speed: 2, by: hand)
        clock.begin()
        hand.turn(by: 10)
        #expect(!clock.isPaused)
        #expect(clock.pause().milliseconds == 1_020_000)
        hand.turn(by: 50)
        #expect(clock.now.world.milliseconds == 1_020_000 && clock.now.pace == 0)
        clock.advance(to: Timestamp(milliseconds: 1_025_000))
        clock.advance(to: Timestamp(milliseconds: 1_000_000))
        #expect(clock.now.world.milliseconds == 1_025_000 && clock.isPaused)
        clock.resume()
        hand.turn(by: 1)
        #expect(clock.now.world.milliseconds == 1_027_000 && clock.now.pace == 2)
    }

    /// However late the end of a run comes, its world has stopped at one instant.
    @Test func stopsAtItsEnd() {
        let hand = Hand()
        let clock = clock(speed: 2, by: hand, end: 1_010_000)
        clock.begin()
        hand.turn(by: 4)
        #expect(clock.now.world.milliseconds == 1_008_000 && clock.now.pace == 2)
        hand.turn(by: 50)
        #expect(clock.now.world.milliseconds == 1_010_000 && clock.now.pace == 0)
        #expect(clock.pause().milliseconds == 1_010_000)
        clock.advance(to: Timestamp(milliseconds: 2_000_000))
        #expect(clock.now.world.milliseconds == 1_010_000)
    }

    @Test func aRunGoesOnAtTheLaterOfItsEpochAndItsJournal() {
        let (early, late) = (Timestamp(milliseconds: 5), Timestamp(milliseconds: 9))
        func start(_ epoch: Timestamp?, _ last: Timestamp?) -> FleetClock {
            FleetClock.forRun(epoch: epoch, after: last, speed: 60, lasting: .seconds(2))
        }
        #expect(start(early, late).epoch == late && start(late, early).epoch == late)
        #expect(start(early, nil).epoch == early)
        #expect(start(nil, early).epoch > late, "now")
        #expect(start(early, nil).end?.milliseconds == 120_005)
    }
}
