import Basics
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What the devices of a home make depends on seed and commands alone, and not on when their owner asks.
@Suite struct HomeWorldTests {
    private static let models = [
        "sweeper-s1", "sweeper-pro", "pool-p1", "pool-c1", "store-e5", "store-e10",
    ]

    /// What one run of a home made: for each device the payloads, in order.
    private struct Run {
        private(set) var home: HomeWorld
        private(set) var clock = BenchClock()
        private(set) var made: [[[UInt8]]]

        init() throws {
            let clock = BenchClock()
            let devices = try HomeWorldTests.models.enumerated().map { index, model in
                try SimulatedDevice(
                    identity: DeviceIdentity(
                        home: try HomeID("home-1"), device: try DeviceID("device-\(index)"),
                        model: DeviceModel(rawValue: model), name: "Device \(index)"),
                    seed: UInt64(index), boot: BootID("b1"), telemetryInterval: .seconds(5),
                    tellingWhatItMakes: true, at: clock.now)
            }
            let household = Household(home: try HomeID("home-1"), seed: 1, at: clock.world)
            home = HomeWorld(devices, in: household, at: clock.world)
            made = devices.map { _ in [] }
        }

        /// How long after a whole second a device samples, in milliseconds.
        func samplingOffset(of place: Int) -> Int {
            home.devices[place].timetable.nextSample.milliseconds % 1000
        }

        mutating func give(_ input: DeviceInput, to place: Int) {
            take(home.handle(input, of: place, at: clock.now))
        }

        /// Wakes the home whenever it wants that, until so long after the start.
        mutating func wakeItself(until milliseconds: Int) {
            let end = BenchClock().monotonic + .milliseconds(milliseconds)
            while let wake = home.nextWake, wake <= end {
                clock.pass(max(wake - clock.monotonic, .zero))
                take(home.wake(at: clock.now))
            }
        }

        private mutating func take(_ outputs: [HomeWorld.Output]) {
            for output in outputs {
                for case .made(let publication) in output.actions {
                    made[output.place].append(publication.payload)
                }
            }
        }

        mutating func give(_ name: String, _ arguments: JSONObject = [:], to place: Int) throws {
            var generator = SeededGenerator(seed: UInt64(place))
            let id = CommandID(at: BenchClock().wire, using: &generator)
            let order = try Order(name, arguments, valid: .seconds(600), id: id)
            give(
                .command(
                    payload: order.payload, retained: false, responseTopic: nil, lane: .normal),
                to: place)
        }

        /// Goes on to a time after the start, at whole milliseconds.
        mutating func pass(to milliseconds: Int, waking place: Int) {
            let passed = clock.monotonic - BenchClock().monotonic
            clock.pass(.milliseconds(milliseconds) - passed)
            give(.wake, to: place)
        }
    }

    /// Twenty runs that ask at other moments, with connections that come and go and commands at some time between
    /// the same two instants of their device.
    @Test(arguments: 1...20)
    func theSameHomeMakesTheSameBytes(seed: UInt64) throws {
        let (regular, random) = (try run(seed: nil), try run(seed: seed))
        for (place, model) in Self.models.enumerated() {
            #expect(regular.made[place] == random.made[place], "\(model)")
            #expect(regular.made[place].count > 20, "\(model)")
        }
    }

    /// A home that is woken when it wants that makes what one makes that is asked every second.
    @Test func aHomeWakesEveryDeviceThatIsDue() throws {
        var (asked, woken) = (try Run(), try Run())
        for second in 1...60 { asked.pass(to: second * 1000, waking: 0) }
        woken.wakeItself(until: 60_000)
        #expect(woken.made == asked.made && woken.made.allSatisfy { $0.count > 10 })
        #expect(try #require(woken.home.nextWake) > woken.clock.monotonic)
    }

    /// - Parameter seed: of the moments; `nil` for one wake a second.
    private func run(seed: UInt64?) throws -> Run {
        var run = try Run()
        var generator = SeededGenerator(seed: seed ?? 0)
        func later(within limit: Int) -> Int {
            seed == nil ? 0 : Int(generator.next() % UInt64(limit))
        }
        let orders: [(second: Int, place: Int, name: String, arguments: JSONObject)] = [
            (3, 0, "start-cleaning", [:]), (7, 2, "start-program", ["program": "floor"]),
            (11, 4, "discharge", ["powerW": 1000]), (20, 1, "move-to", ["x": 2, "y": 3]),
            (31, 3, "set-power-level", ["level": "boost"]), (50, 0, "return-to-dock", [:]),
        ]
        for second in 1...180 {
            var moments = [second * 1000 + later(within: 400)]
            if seed != nil, later(within: 2) == 0 {
                moments.append(moments[0] + later(within: 500))
            }
            // Sometimes nobody asks for some seconds.
            let isOrdered = orders.contains { $0.second == second }
            if seed != nil, !isOrdered, later(within: 4) == 0 { continue }
            for order in orders where seed != nil && order.second == second {
                moments = [
                    second * 1000 + later(within: max(run.samplingOffset(of: order.place), 1))
                ]
            }
            for moment in moments { run.pass(to: moment, waking: later(within: Self.models.count)) }
            for order in orders where order.second == second {
                try run.give(order.name, order.arguments, to: order.place)
            }
            if later(within: 10) == 9 { run.give(.connected, to: later(within: Self.models.count)) }
            if later(within: 10) == 9 {
                run.give(.disconnected, to: later(within: Self.models.count))
            }
        }
        run.pass(to: 200_000, waking: 0)
        return run
    }

    /// Only whole seconds and sampling instants are on the stamps of what a device makes.
    @Test func stampsAreInstants() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.clock.pass(.milliseconds(2_345))
        let begun = bench.give(try Order("start-cleaning"))
        let state = try #require(begun.states.last)
        #expect(state.at.milliseconds % 1000 == 0)
        #expect(state.at.since(BenchClock().world) == .seconds(2))
    }
}
