import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// How warm the water of a pool is, and what the robot's sensor makes of it.
@Suite struct PoolClimateTests {
    /// 2025-01-01T00:00:00Z.
    private let newYear = 1_735_689_600_000

    private func temperature(_ pool: inout PoolBench, day: Int, minute: Int) throws -> Double {
        pool.behaviour.now = Timestamp(
            milliseconds: newYear + (day * 1440 + minute) * 60_000)
        return try #require(pool.behaviour.telemetry["waterTemperatureC"]?.number)
    }

    /// Golden phase: warmest between 16 and 19 o'clock local time, which is UTC + 1 h, on every day.
    @Test(arguments: ["home-1", "home-2", "home-3"], [10, 100, 190, 280])
    func theWaterIsWarmestInTheEarlyEvening(_ home: String, _ day: Int) throws {
        var pool = try PoolBench(home: home)
        let readings: [(hour: Double, celsius: Double)] = try (0..<288).map { index in
            let minute = index * 5
            let local = Double((minute + 60) % 1440) / 60
            return (local, try temperature(&pool, day: day, minute: minute))
        }
        let most = try #require(readings.map(\.celsius).max())
        let least = try #require(readings.map(\.celsius).min())
        // As long as the sensor shows the same.
        let warmest = readings.filter { $0.celsius == most }.map(\.hour)
        #expect(warmest.allSatisfy { (15.9...19.1).contains($0) })
        #expect((16.8...18.2).contains(warmest.reduce(0, +) / Double(warmest.count)))
        #expect(most - least > 1.4 && most - least < 2.2)
    }

    @Test func theWaterFollowsTheSeason() throws {
        var pool = try PoolBench()
        let months = try stride(from: 15, to: 365, by: 30).map {
            try temperature(&pool, day: $0, minute: 720)
        }
        #expect(months.allSatisfy { (4.4...35.6).contains($0) })
        let warmest = months.indices.max { months[$0] < months[$1] }
        #expect(warmest == 6 || warmest == 7)
        #expect((months.max() ?? 0) - (months.min() ?? 0) > 12)
    }

    @Test func theSensorHasItsResolution() throws {
        var pool = try PoolBench()
        for minute in 0..<600 {
            let steps = try temperature(&pool, day: 150, minute: minute) * 16
            #expect(steps == steps.rounded())
        }
    }

    /// Roofs, pools and rooms of one region have one weather, and another region another one.
    @Test func theAirOverAPoolIsThatOfItsRegion() throws {
        let identity = try DeviceBench.identity("pool-p1")
        func site(_ region: UInt64) -> PoolSite {
            PoolSite(
                ratings: .p1, identity: identity,
                seed: DeviceSeeds(device: 1, home: 2, region: region))
        }
        func home(_ region: UInt64) -> Household {
            Household(home: identity.home, seed: 2, region: region, at: BenchClock().world)
        }
        let hours = (0..<200).map { BenchClock().world.advanced(by: .seconds($0 * 3600)) }
        #expect(
            hours.map { site(7).climate.air(at: $0) }
                == hours.map { home(7).profile.weather.ambientC(at: $0.second) })
        let apart = hours.count {
            (site(7).climate.air(at: $0) - site(8).climate.air(at: $0)).magnitude > 1
        }
        #expect(apart > 60)
        #expect(site(7).basin == site(8).basin && home(7).profile.roof == home(8).profile.roof)
    }

    /// Most at noon in summer, none at night, little under clouds.
    @Test func theSunFollowsDaySeasonAndClouds() {
        let weather = RegionWeather(seed: 1)
        let summer = (0..<60).map { weather.light(at: 1_750_503_600 + $0 * 86_400) }
        let winter = (0..<60).map { weather.light(at: 1_766_314_800 + $0 * 86_400) }
        #expect(summer.max() ?? 0 > 800 && winter.max() ?? 0 < 450)
        #expect(summer.min() ?? 0 < 400, "clouds")
        #expect(weather.light(at: 1_750_460_400) == 0)
    }

    @Test func inAirItReadsTheAirAfterAWhile() throws {
        var pool = try PoolBench()
        let site = pool.behaviour.site
        pool.step(1)
        let before = pool.behaviour.thermometer.temperature(at: pool.behaviour.now, in: site)
        #expect(before == site.climate.water(at: pool.behaviour.now, site.ratings.climate))
        pool.behaviour.begin(fault: try Fault(.outOfWater), noting: &pool.happened)
        let lifted = pool.behaviour.thermometer.temperature(at: pool.behaviour.now, in: site)
        #expect((lifted - before).magnitude < 1e-9, "no jump")
        pool.step(3000)
        let air = site.climate.air(at: pool.behaviour.now)
        let reading = try #require(pool.behaviour.telemetry["waterTemperatureC"]?.number)
        #expect((reading - site.unit.temperatureOffset - air).magnitude < 0.05)
        pool.behaviour.end(fault: .outOfWater, noting: &pool.happened)
        pool.step(1200)
        let water = site.climate.water(at: pool.behaviour.now, site.ratings.climate)
        let again = try #require(pool.behaviour.telemetry["waterTemperatureC"]?.number)
        #expect((again - site.unit.temperatureOffset - water).magnitude < 0.05)
        #expect((air - water).magnitude > 0.5, "else the test proves nothing")
    }
}
