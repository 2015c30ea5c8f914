import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The table of what can be simulated.
@Suite struct BehaviourCatalogTests {
    private let catalog = BehaviourCatalog.standard

    @Test func everyModelOfADomainKindIsInTheTable() {
        for kind in catalog.kinds {
            #expect(!kind.models.isEmpty && kind.usualCount > 0)
            #expect(kind.models.contains { $0.model == kind.boxedModel })
            for model in kind.models {
                let blueprint = try? DeviceFactory.standard.blueprint(of: model.model)
                #expect(blueprint?.kind == kind.kind)
            }
        }
        #expect(Set(catalog.models) == Set(DeviceFactory.standard.models))
        #expect(Set(catalog.kinds.map(\.group)).count == catalog.kinds.count)
    }

    /// It is compared with what a journal gives back, which has the one canonical form.
    @Test func whatADeviceRemembersIsCanonical() throws {
        for model in catalog.models {
            let behaviour = try DeviceBench(model.rawValue).device.behaviour
            #expect(behaviour.remembered.count > 5, "\(model.rawValue)")
            #expect(JSONWriter.write(.object(behaviour.remembered)) == behaviour.memory)
        }
    }

    /// What `models` prints is what the devices use.
    @Test(arguments: ["pool-p1", "pool-c1"])
    func aDeviceUsesTheSpecificationOfTheTable(_ model: String) throws {
        let listed = catalog.kinds.flatMap(\.models).first { $0.model.rawValue == model }
        let specification = try #require(listed?.specification as? PoolSpecification)
        let robot = try #require(try DeviceBench(model).device.behaviour as? PoolBehaviour)
        #expect(robot.site.ratings === specification)
    }

    @Test func theNumbersOfHomeAndWeatherAreInTheTable() {
        for (name, specification) in BehaviourCatalog.surroundings {
            let ratings = specification.ratings
            #expect(Set(ratings.map(\.name)).count == ratings.count && ratings.count > 15)
            for (parameter, rating) in ratings {
                #expect(!rating.unit.isEmpty && rating.value.isFinite, "\(name) \(parameter)")
            }
        }
    }

    /// A scenario can give some numbers of every model.
    @Test func whatCanBeGivenIsANumberOfTheModel() {
        for model in catalog.kinds.flatMap(\.models) {
            let names = model.specification.ratings.map(\.name)
            #expect(Set(model.specification.adjustable).isSubset(of: names), "\(model.model)")
            #expect(model.adjustable.map(\.name).count == model.specification.adjustable.count)
            #expect(!model.adjustable.isEmpty, "\(model.model)")
            for (name, range) in model.adjustable {
                let rating = model.specification.ratings.first { $0.name == name }?.rating
                #expect(rating.map { range.contains($0.value) } == true, "\(name)")
            }
        }
    }

    @Test func kindsNameTheirOwnFaults() {
        #expect(SimulatedFault.stuck.specification.kinds == [.sweepingRobot, .poolRobot])
        #expect(SimulatedFault.gridOutage.specification.kinds == [.energyStore])
        #expect(SimulatedFault.slow.specification.isForEveryKind)
    }
}
