import DeviceDomain
import Testing

@testable import DeviceSimulation

/// Numbers that are given for some sweeping robots.
@Suite struct SweeperNumbersTests {
    private func robot(
        _ device: String, _ parameters: [String: ClosedRange<Double>] = [:], seed: UInt64 = 1
    ) throws -> SweepingBehaviour {
        let identity = DeviceIdentity(
            home: try HomeID("home-1"), device: try DeviceID(device),
            model: DeviceModel(rawValue: "sweeper-s1"), name: "Sweeper")
        let made = try BehaviourCatalog.standard.makeBehaviour(
            identity: identity, seed: DeviceSeeds(device: seed, home: 1), parameters: parameters,
            at: BenchClock().world)
        return try #require(made as? SweepingBehaviour)
    }

    @Test func robotsOfAModelShareItsNumbersUnlessSomeAreGiven() throws {
        #expect(try robot("sweeper-1").robot === SweeperSpecification.s1)
        let given = try robot("sweeper-1", ["dust": 1...1])
        #expect(given.robot !== SweeperSpecification.s1 && given.robot.dust.value == 1)
        #expect(try given.seed == robot("sweeper-1").seed, "nothing else is drawn differently")
    }

    @Test func eachRobotDrawsItsOwnFromTheRange() throws {
        let parameters = ["battery": 20.0...30, "worked": 100.0...300]
        let robots = try (1...8).map { try robot("sweeper-\($0)", parameters) }
        let capacities = robots.map(\.battery.capacityWh)
        #expect(capacities.allSatisfy { (20...30).contains($0) } && Set(capacities).count == 8)
        #expect(robots.allSatisfy { $0.battery.isFull })
        #expect(
            try robot("sweeper-3", parameters).battery.capacityWh == capacities[2],
            "the same robot draws the same")
        #expect(robots.allSatisfy { (100...300).contains($0.workedMilliseconds / 3_600_000) })
        // The charger is that of the model, whatever pack hangs on it.
        #expect(robots[0].battery.chargerW == SweeperSpecification.s1.charger.value)
    }

    @Test func aRobotBeginsWithItsChargeAndFillsUpOnItsDock() throws {
        var walker = SweeperWalker(SweeperSpecification.s1)
        walker.behaviour = try robot("sweeper-1", ["first-charge": 40...40])
        #expect(abs(walker.behaviour.battery.percent - 40) < 1e-9)
        #expect(walker.behaviour.isCharging)
        for _ in 0..<600 { walker.step(1) }
        #expect(walker.behaviour.battery.percent > 41)
    }

    /// What somebody takes to help is drawn each time.
    @Test func helpComesWithinItsTime() throws {
        let robot = try robot("sweeper-1", ["wear-help": 6...7]).robot
        #expect(robot.wear.help.range == 6...7)
        #expect(SweeperSpecification.s1.wear.help.range == 5...45)
    }
}
