import DeviceDomain
import DeviceSimulation
import Testing

@testable import Fleet

/// Regions of weather.
@Suite struct RegionTests {
    private func seeds(of homes: FleetHomes, regions: Int) -> [HomeID: UInt64] {
        let plan = FleetPlan(
            homes: homes, counts: DeviceCounts(stores: 1), seed: 7, regions: regions)
        return Dictionary(
            uniqueKeysWithValues: plan.devices.map { ($0.identity.home, $0.regionSeed) })
    }

    @Test func homesTakeTurns() throws {
        let seeds = seeds(of: .numbered(7), regions: 3)
        #expect(Set(seeds.values).count == 3)
        for number in 1...4 {
            let (one, other) = (
                try HomeID("home-\(number)"), try HomeID("home-\(number + 3)")
            )
            #expect(seeds[one] == seeds[other])
        }
        #expect(seeds[.literal("home-1")] == 7, "the first region has the seed of the fleet")
    }

    /// However homes are dealt out to machines and processes, each has the weather of its own number.
    @Test func aHomeHasItsRegionInEveryPart() throws {
        let whole = seeds(of: .numbered(10), regions: 4)
        for count in 2...3 {
            for part in FleetHomes.numbered(10).shared(among: count) {
                for (home, seed) in seeds(of: part, regions: 4) { #expect(whole[home] == seed) }
            }
            for number in 1...count {
                let part = try FleetHomes.numbered(10).part(FleetPart(number, of: count))
                for (home, seed) in seeds(of: part, regions: 4) { #expect(whole[home] == seed) }
            }
        }
    }

    @Test func aHomeOfANameIsInSomeRegion() throws {
        let one = seeds(of: try .named("villa"), regions: 1)
        #expect(one.values.first == 7)
        #expect(
            seeds(of: try .named("villa"), regions: 5) == seeds(of: try .named("villa"), regions: 5)
        )
    }
}
