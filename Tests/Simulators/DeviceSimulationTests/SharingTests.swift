import DeviceDomain
import DeviceMessages
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
        let profiles = [one, other].map(\.output.reporter.profile)
        #expect(place(profiles[0].commands) == place(profiles[1].commands))
        #expect(place(profiles[0].plan?.rooms ?? []) == place(profiles[1].plan?.rooms ?? []))
    }

    /// Stores of one home that sample together.
    private func home(of count: Int) throws -> HomeWorld {
        let home = Household(home: try HomeID("home-1"), seed: 1, at: clock.now.world)
        let stores = try (1...count).map { try device("store-e5", "store-\($0)") }
        return HomeWorld(stores, in: home, at: clock.now.world)
    }

    /// A copy in each of them would be memory that grows with the square of their number.
    @Test func aStoreKeepsItsOwnPartOfTheHomeAlone() throws {
        var home = try home(of: 3)
        for place in home.devices.indices { _ = home.handle(.wake, of: place, at: clock.now) }
        for store in home.devices {
            let kept = try #require(store.behaviour.household)
            #expect(kept.stores.map(\.device) == [store.identity.device])
        }
    }

    /// The grid of a home fails at every store of it: each keeps that it is gone.
    @Test func aStoreOffTheGridKeepsTheOutageOfItsHome() throws {
        var home = try home(of: 3)
        let outage = try Fault(.gridOutage)
        for place in home.devices.indices {
            _ = home.handle(.inject(outage, until: nil), of: place, at: clock.now)
        }
        #expect(try #require(home.devices[2].behaviour.household).hasOutage)
    }

    /// Whichever store is woken, all of them have sampled every instant that has passed, each once.
    @Test(arguments: 21...25)
    func aLateHomeMakesUpForEveryInstant(seconds: Int) throws {
        var home = try home(of: 8)
        for place in home.devices.indices { _ = home.handle(.connected, of: place, at: clock.now) }
        var late = clock
        late.pass(.seconds(seconds))
        var samples: [[TelemetryMessage]] = home.devices.map { _ in [] }
        for place in home.devices.indices {
            for output in home.handle(.wake, of: place, at: late.now) {
                samples[output.place] += output.actions.samples
            }
        }
        let numbers = Set(samples.map { $0.map(\.n) })
        #expect(numbers == [Array(1...numbers.first!.count)] && numbers.first!.count >= 4)
    }
}
