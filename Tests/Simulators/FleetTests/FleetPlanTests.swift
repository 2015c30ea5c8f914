import DeviceDomain
import DeviceSimulation
import Testing

@testable import Fleet

@Suite struct FleetPlanTests {
    @Test func namesDevicesByKindAndNumberWithinEachHome() {
        let plan = FleetPlan(
            homes: .numbered(2), counts: DeviceCounts(sweepers: 2, pools: 1, stores: 1), seed: 1)
        #expect(
            plan.devices.map { "\($0.key)" } == [
                "home-1/sweeper-1", "home-1/sweeper-2", "home-1/pool-1", "home-1/store-1",
                "home-2/sweeper-1", "home-2/sweeper-2", "home-2/pool-1", "home-2/store-1",
            ])
    }

    @Test func modelsTakeTurns() {
        let plan = FleetPlan(homes: .numbered(1), counts: DeviceCounts(pools: 3), seed: 1)
        #expect(plan.devices.map(\.identity.model.rawValue) == ["pool-p1", "pool-c1", "pool-p1"])
    }

    @Test func everyModelIsKnown() throws {
        let counts = DeviceCounts(sweepers: 4, pools: 4, stores: 4)
        let plan = FleetPlan(homes: .numbered(1), counts: counts, seed: 1)
        for device in plan.devices {
            _ = try DeviceFactory.standard.blueprint(of: device.identity.model)
        }
    }

    @Test func aDeviceKeepsItsSeedWhateverElseTheFleetHas() {
        let small = FleetPlan(homes: .numbered(1), counts: DeviceCounts(stores: 1), seed: 7)
        let large = FleetPlan(homes: .numbered(3), counts: .usual, seed: 7)
        let same = large.devices.first { $0.key == small.devices[0].key }
        #expect(same?.seed == small.devices[0].seed)
    }

    @Test func seedsDifferByFleetHomeAndDevice() {
        let plans = [1, 2].map { FleetPlan(homes: .numbered(5), counts: .usual, seed: $0) }
        let seeds = plans.flatMap(\.devices).map(\.seed)
        #expect(Set(seeds).count == seeds.count)
    }

    @Test func refusesAHomeThatIsNoIdentifier() {
        #expect(throws: InvalidIdentifier.self) { try FleetHomes.named("My Home") }
    }
}
