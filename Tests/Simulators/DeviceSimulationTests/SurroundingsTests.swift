import Basics
import DeviceDomain
import Testing

@testable import DeviceSimulation

/// The load, the roof and the weather of a home.
@Suite struct SurroundingsTests {
    /// 2025-01-06T23:00:00Z: Tuesday, local midnight.
    private static let winter = 1_736_204_400
    /// 2025-07-07T23:00:00Z: Tuesday, local midnight.
    private static let summer = 1_751_929_200

    private func profile(_ seed: UInt64, region: UInt64 = 1) -> HomeProfile {
        var generator = SeededGenerator(seed: seed)
        return HomeProfile(weather: RegionWeather(seed: region), using: &generator)
    }

    private func day(
        from start: Int, seconds: Int = 86_400, _ profile: HomeProfile,
        _ value: (Surroundings, Int) -> Double
    ) -> [Double] {
        var surroundings = Surroundings()
        return (start..<start + seconds).map { second in
            surroundings.move(to: second, of: profile)
            return value(surroundings, second)
        }
    }

    private func load(from start: Int, seconds: Int = 86_400, _ profile: HomeProfile) -> [Double] {
        day(from: start, seconds: seconds, profile) { $0.loadW(at: $1, of: profile) }
    }

    private func pv(from start: Int, seconds: Int = 86_400, _ profile: HomeProfile) -> [Double] {
        day(from: start, seconds: seconds, profile) { $0.pvW(at: $1, of: profile) }
    }

    @Test(arguments: [UInt64](1...4))
    func theLoadIsNeverTheSameWattForFiveMinutes(_ seed: UInt64) {
        var (run, longest, last) = (0, 0, -1.0)
        for watts in load(from: Self.winter, profile(seed)) {
            run = watts.rounded() == last ? run + 1 : 0
            longest = max(longest, run)
            last = watts.rounded()
            #expect(watts > 40)
        }
        #expect(longest < 60, "\(longest) s")
    }

    /// Steps of the load come at any second of the quarter hour.
    @Test func noStepIsBoundToTheQuarterHour() {
        var places: [Int] = []
        for seed in 1...8 as ClosedRange<UInt64> {
            let watts = load(from: Self.winter, profile(seed))
            for second in 1..<watts.count where (watts[second] - watts[second - 1]).magnitude > 700
            {
                places.append((Self.winter + second) % 900)
            }
        }
        #expect(places.count > 200)
        #expect(Set(places.map { $0 / 60 }).count == 15)
        #expect(places.count { $0 < 2 } * 50 < places.count)
    }

    @Test func compressorsRunInCycles() {
        var generator = SeededGenerator(seed: 9)
        let fridge = Refrigerator(using: &generator)
        let isOn = (0..<86_400).map { fridge.watts(at: $0) > 20 }
        let starts = (1..<isOn.count).count { isOn[$0] && !isOn[$0 - 1] }
        #expect((20...36).contains(starts), "one in 40 to 70 min")
        #expect((0.27...0.43).contains(Double(isOn.count { $0 }) / 86_400))
    }

    @Test func weekendsAndSeasonsDiffer() {
        var (weekday, weekend, winter, summer) = (0.0, 0.0, 0.0, 0.0)
        for seed in 1...12 as ClosedRange<UInt64> {
            let profile = profile(seed)
            // Tuesday and Saturday, from ten in the morning to four in the afternoon.
            weekday += load(from: Self.winter + 36_000, seconds: 21_600, profile).reduce(0, +)
            weekend +=
                load(from: Self.winter + 4 * 86_400 + 36_000, seconds: 21_600, profile).reduce(0, +)
            winter += load(from: Self.winter + 66_000, seconds: 14_400, profile).reduce(0, +)
            summer += load(from: Self.summer + 66_000, seconds: 14_400, profile).reduce(0, +)
        }
        #expect(weekend > 1.15 * weekday)
        #expect(winter > 1.08 * summer)
    }

    @Test(arguments: [UInt64](1...3))
    func sunRisesAndSets(_ seed: UInt64) {
        let profile = profile(seed)
        let watts = pv(from: Self.summer, profile)
        #expect(watts[0] == 0 && watts[86_399] == 0)
        let most = watts.max() ?? 0
        #expect(most > 0.25 * profile.roof.peakW && most <= profile.roof.inverterW)
        #expect(pv(from: Self.winter, profile).reduce(0, +) < watts.reduce(0, +))
    }

    @Test func roofsFaceDifferentWays() {
        func sunniest(_ azimuth: Double) -> Int {
            let roof = Roof(
                peakW: 6000, tiltDeg: 40, azimuthDeg: azimuth, sizing: 1.0, cloudDelay: 0)
            let light = (0..<96).map { quarter in
                roof.clearLight(HomeClock.sun(at: Self.summer + quarter * 900)).beam
            }
            return light.firstIndex(of: light.max() ?? 0) ?? 0
        }
        #expect(sunniest(110) < sunniest(180) - 6 && sunniest(250) > sunniest(180) + 6)
    }

    @Test func aColdRoofGivesMoreThanAHotOne() {
        let roof = Roof(peakW: 6000, tiltDeg: 30, azimuthDeg: 180, sizing: 1.0, cloudDelay: 0)
        let (cold, hot) = (
            roof.powerW(irradiance: 600, ambientC: 0), roof.powerW(irradiance: 600, ambientC: 30)
        )
        // 30 K at 0.35 % each, of what is left at 0 °C.
        #expect((hot / cold - (1 - 0.105 / (1 - 0.0035 * (18.6 - 25)))).magnitude < 0.002)
    }

    @Test func cloudsTakeAThirdWithinTenSeconds() {
        var edges = 0
        for week in 0..<4 {
            let watts = pv(
                from: Self.summer + week * 7 * 86_400 + 36_000, seconds: 14_400, profile(2))
            for second in 10..<watts.count where watts[second] < 0.7 * watts[second - 10] {
                edges += 1
            }
        }
        #expect(edges > 20, "\(edges) seconds in edges")
    }

    /// Two homes of a region have one weather, another region has another.
    @Test func homesOfARegionShareTheWeather() {
        func clearness(_ profile: HomeProfile) -> [Double] {
            // Means of ten minutes, of what a clear sky would give.
            (0..<200).map { index in
                let second = Self.summer + index / 20 * 86_400 + 36_000 + index % 20 * 600
                let clear = profile.roof.clearLight(HomeClock.sun(at: second))
                let all = pv(from: second, seconds: 600, profile).reduce(0, +) / 600
                return all
                    / profile.roof.powerW(
                        irradiance: clear.beam + clear.diffuse, ambientC: 20)
            }
        }
        let (one, other, foreign) = (
            clearness(profile(1)), clearness(profile(2)), clearness(profile(1, region: 2))
        )
        #expect(correlation(one, other) > 0.8, "\(correlation(one, other))")
        #expect(correlation(one, foreign) < 0.4, "\(correlation(one, foreign))")
    }

    @Test func homesOfOneSeedAreOfOneRegion() throws {
        func profile(_ home: String, _ seed: UInt64) throws -> HomeProfile {
            Household(home: try HomeID(home), seed: seed, at: StoreBench.noon).profile
        }
        let one = try profile("home-1", 7)
        #expect(try profile("home-2", 7).weather == one.weather)
        #expect(try profile("home-2", 7).roof != one.roof)
        #expect(try profile("home-1", 8).weather != one.weather)
    }

    private func correlation(_ left: [Double], _ right: [Double]) -> Double {
        let (l, r) = (
            left.reduce(0, +) / Double(left.count), right.reduce(0, +) / Double(right.count)
        )
        var (product, squareL, squareR) = (0.0, 0.0, 0.0)
        for (a, b) in zip(left, right) {
            product += (a - l) * (b - r)
            squareL += (a - l) * (a - l)
            squareR += (b - r) * (b - r)
        }
        return product / (squareL * squareR).squareRoot()
    }
}
