import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What holds in a home of stores whatever happens to it.
@Suite struct EnergyPropertyTests {
    /// A home that lives through some days of random orders, modes, faults and weather.
    private struct RandomHome {
        var home: Household
        private var generator: SeededGenerator
        private let devices: [DeviceID]

        init(seed: UInt64, stores systems: [StorageSystem]) throws {
            generator = SeededGenerator(seed: seed)
            let day = Double(generator.next() % 365)
            let start = Timestamp(milliseconds: 1_750_500_000_000).advanced(
                by: .seconds(Int(day) * 86_400))
            home = Household(home: try HomeID("home-\(seed)"), seed: seed, at: start)
            devices = try systems.indices.map { try DeviceID("store-\($0 + 1)") }
            for (device, system) in zip(devices, systems) {
                let room = StoreRoom.indoors(celsius: generator.uniform(in: -14...50))
                home.add(StoreUnit(device: device, system: system, room: room, using: &generator))
            }
        }

        /// Something happens.
        mutating func happen() {
            let device = devices[Int.random(in: 0..<devices.count, using: &generator)]
            let watts = JSONValue.number(generator.uniform(in: 20...home[device].system.chargeW))
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: order(.charge, ["powerW": watts], device)
            case 1: order(.discharge, ["powerW": watts], device)
            case 2: order(.charge, ["powerW": watts, "untilPercent": 60], device)
            case 3: home[device].transfer = nil
            case 4:
                home[device].mode =
                    EnergyStore.Mode.allCases.randomElement(using: &generator) ?? .idle
            case 5: home[device].chargeLimitPercent = generator.uniform(in: 50...100).rounded()
            case 6: home[device].reservePercent = generator.uniform(in: 0...100).rounded()
            case 7: home.setOutage(Bool.random(using: &generator), at: device)
            case 8: home.setIsland(generator.nextFraction() < 0.3)
            case 9: home.otherLoadW = generator.uniform(in: 0...6000)
            case 10:
                home[device].battery.energyWh =
                    generator.nextFraction() * home[device].battery.capacityWh
            default:
                home[device].limits.isDefective = generator.nextFraction() < 0.3
                home[device].feelTemperature()
            }
        }

        private mutating func order(
            _ name: CommandName, _ arguments: JSONObject, _ device: DeviceID
        ) {
            guard home.isOnGrid else { return }
            home[device].transfer = EnergyTransfer(
                BehaviourRequest(name, arguments), from: home[device].percent)
        }

        mutating func duration() -> Int { Int.random(in: 1...1800, using: &generator) }

        /// What every store reports now.
        func values() throws -> [StoreValues] {
            let reading = MeterReading(of: home, at: home.world)
            return try devices.map { try StoreValues(reading.values(of: $0)) }
        }
    }

    @Test(arguments: [UInt64](1...6))
    func balanceCountersCellsAndChargeHoldForRandomDays(_ seed: UInt64) throws {
        let systems = [[StorageSystem.e5], [.e10], [.e5, .e10]][Int(seed % 3)]
        var random = try RandomHome(seed: seed, stores: systems)
        var watch = HomeWatch([try DeviceBench.identity("store-e5")])
        for _ in 0..<150 {
            random.happen()
            watch.timeWasLeftOut()
            for _ in 0..<random.duration() {
                random.home.advance(to: random.home.world.advanced(by: .seconds(1)))
                watch.look(at: random.home, random.home.world)
            }
            // What is reported is rounded, and adds up all the same.
            let values = try random.values()
            let batteries = values.map(\.batteryW).reduce(0, +)
            for store in values {
                #expect(store.gridW + store.pvW == store.loadW + batteries)
                #expect((0...100).contains(store.percent))
                #expect(store.lowestV >= 2.8 && store.highestV <= 3.65, "\(store)")
                #expect(random.home.isOnGrid || store.gridW == 0)
                #expect(random.home.hasPower || (store.pvW == 0 && store.batteryW == 0))
            }
            for store in random.home.stores { #expect(store.battery.health > 0.5) }
        }
        #expect(watch.record.entries == [:])
    }

    /// A home that is stepped once a second, and one that is stepped when something happens.
    @Test(arguments: [UInt64](1...4))
    func stepsBetweenInstantsChangeNothing(_ seed: UInt64) throws {
        var (fine, coarse) = (
            try RandomHome(seed: seed, stores: [.e5, .e10]),
            try RandomHome(seed: seed, stores: [.e5, .e10])
        )
        for _ in 0..<30 {
            fine.happen()
            coarse.happen()
            let seconds = fine.duration()
            let end = fine.home.world.advanced(by: .seconds(seconds))
            for step in 1...(seconds * 3) {
                fine.home.advance(
                    to: end.advanced(by: .milliseconds(333 * step - 999 * seconds - seconds)))
            }
            fine.home.advance(to: end)
            _ = coarse.duration()
            coarse.home.advance(to: end)
            #expect(fine.home == coarse.home)
        }
    }

    @Test func theSameSeedGivesTheSameBytes() throws {
        func life(_ seed: UInt64) throws -> [StoreValues] {
            var random = try RandomHome(seed: seed, stores: [.e10])
            return try (0..<40).flatMap { _ in
                random.happen()
                let end = random.home.world.advanced(by: .seconds(random.duration()))
                random.home.advance(to: end)
                return try random.values()
            }
        }
        #expect(try life(7) == life(7))
        #expect(try life(7) != life(8))
    }
}
