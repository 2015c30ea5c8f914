import DeviceDomain
import Testing

@testable import DeviceSimulation

/// The numbers of the models of pool robots.
@Suite struct PoolSpecificationTests {
    @Test(arguments: [PoolSpecification.p1, .c1])
    func everyNumberHasANameAUnitAndASource(_ model: PoolSpecification) throws {
        let ratings = model.ratings
        #expect(ratings.count > 80)
        #expect(Set(ratings.map(\.name)).count == ratings.count)
        for (name, rating) in ratings {
            #expect(!rating.unit.isEmpty && rating.value.isFinite, "\(name)")
            #expect(rating.range?.contains(rating.value) ?? true, "\(name)")
            switch rating.source {
            case .published(let text), .estimate(let text): #expect(text.count >= 8, "\(name)")
            }
        }
    }

    @Test func onlyTheCordlessModelHasABattery() {
        let names = [PoolSpecification.p1, .c1].map { Set($0.ratings.map(\.name)) }
        #expect(!names[0].contains("battery.capacity") && names[1].contains("battery.capacity"))
        #expect(names[0].contains("supply.trip") && !names[1].contains("supply.trip"))
        #expect(names[0].contains("drive.levels.eco"))
    }

    @Test func devicesOfAModelShareItsSpecification() throws {
        let robots = try ["a", "b"].map { try PoolBench(.c1, device: $0).behaviour.site.ratings }
        #expect(robots[0] === robots[1])
    }
}
