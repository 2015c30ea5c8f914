import DeviceDomain
import Testing

@testable import DeviceSimulation

/// What is equal in all devices of a fleet is in memory once.
@Suite struct SharingTests {
    private let clock = BenchClock()

    private func device(_ model: String, _ id: String) throws -> SimulatedDevice {
        let identity = DeviceIdentity(
            home: try HomeID("home-1"), device: try DeviceID(id),
            model: DeviceModel(rawValue: model), name: id)
        return try SimulatedDevice(
            identity: identity, seed: 1, boot: BootID("b1"), telemetryInterval: .seconds(5),
            at: clock.now)
    }

    /// Where the elements of an array are.
    private func place<Element>(_ array: [Element]) -> UnsafeRawPointer? {
        array.withUnsafeBytes { $0.baseAddress }
    }

    @Test(arguments: BehaviourCatalog.standard.models)
    func devicesOfOneModelShareWhatTheyDeclare(model: DeviceModel) throws {
        let (one, other) = (try device(model.rawValue, "a"), try device(model.rawValue, "b"))
        #expect(place(one.profile.commands) == place(other.profile.commands))
        #expect(place(one.profile.plan?.rooms ?? []) == place(other.profile.plan?.rooms ?? []))
    }

    /// Stores of one home that sample together, and the home.
    private func home(of count: Int) throws -> (stores: [SimulatedDevice], household: Household?) {
        var home = Household(home: try HomeID("home-1"), seed: 1, at: clock.now.world)
        let stores = try (1...count).map { try device("store-e5", "store-\($0)") }
        for store in stores { store.join(&home) }
        return (stores, home)
    }

    /// A copy in each of them would be memory that grows with the square of their number.
    @Test func aStoreKeepsItsOwnPartOfTheHomeAlone() throws {
        var (stores, shared) = try home(of: 3)
        for index in stores.indices {
            _ = stores[index].handle(.wake, at: clock.now, sharing: &shared)
        }
        for store in stores {
            let kept = try #require(store.behaviour.household)
            #expect(kept.stores.map(\.device) == [store.identity.device])
        }
        #expect(shared?.stores.map(\.device.text) == ["store-1", "store-2", "store-3"])
    }

    /// The grid of a home fails at every store of it: each keeps that it is gone, not where.
    @Test func aStoreOffTheGridKeepsOneOutageOfItsHome() throws {
        var (stores, shared) = try home(of: 3)
        let outage = try Fault(.gridOutage)
        for index in stores.indices {
            _ = stores[index].handle(.inject(outage, until: nil), at: clock.now, sharing: &shared)
        }
        let kept = try #require(stores[2].behaviour.household)
        #expect(kept == shared?.part(of: stores[2].identity.device))
        #expect(kept.hasOutage)
    }

    /// What one store of a late home has simulated, the others find done, however many they are.
    @Test(arguments: 21...25)
    func aLateHomeIsSimulatedOnceForAllOfItsStores(seconds: Int) throws {
        var (stores, shared) = try home(of: 8)
        for index in stores.indices {
            _ = stores[index].handle(.connected, at: clock.now, sharing: &shared)
        }
        var late = clock
        late.pass(.seconds(seconds))
        _ = stores[0].handle(.wake, at: late.now, sharing: &shared)
        let simulated = shared
        for index in stores.indices.dropFirst() {
            let actions = stores[index].handle(.wake, at: late.now, sharing: &shared)
            #expect(actions.samples.count == 1)
            #expect(shared == simulated, "store-\(index + 1) simulated the home again")
        }
    }
}
