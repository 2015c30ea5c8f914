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

    @Test func aStoreHasNoCopyOfItsHomeFromBeforeTheLastStoreJoined() throws {
        var home = Household(home: try HomeID("home-1"), seed: 1, at: clock.now.world)
        var stores = [try device("store-e5", "store-1"), try device("store-e10", "store-2")]
        for store in stores { store.join(&home) }
        var shared: Household? = home
        _ = stores[0].handle(.wake, at: clock.now, sharing: &shared)
        let seen = try #require(stores[0].behaviour.household)
        #expect(seen.stores.map(\.device.text) == ["store-1", "store-2"])
        #expect(stores[1].behaviour.household?.stores.map(\.device.text) == ["store-2"])
    }
}
