import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// A home without power (PROTOCOL section 2): docks do not charge, and its devices lose their connection within 10 s
/// and are back within 60 s of the power's return.
@Suite struct DarkHomeTests {
    /// A store that is the only supply, and a robot.
    private struct Bench {
        private(set) var home: HomeWorld
        private(set) var clock = BenchClock()
        /// For each device what became of its connection, with the second.
        private(set) var links: [[(second: Int, action: DeviceAction)]] = [[], []]

        init() throws {
            let clock = BenchClock()
            let devices = try ["store-e5", "sweeper-s1"].map { model in
                try SimulatedDevice(
                    identity: DeviceIdentity(
                        home: try HomeID("home-1"), device: try DeviceID(model),
                        model: DeviceModel(rawValue: model), name: model),
                    seed: 1, boot: BootID("b1"), telemetryInterval: .seconds(5), at: clock.now)
            }
            let household = Household(home: try HomeID("home-1"), seed: 1, at: clock.world)
            home = HomeWorld(devices, in: household, at: clock.world)
            for place in devices.indices { give(.connected, to: place) }
        }

        mutating func give(_ input: DeviceInput, to place: Int) {
            let second = clock.world.since(BenchClock().world).wholeMilliseconds / 1000
            for output in home.handle(input, of: place, at: clock.now) {
                for action in output.actions {
                    switch action {
                    case .dropConnection, .connect: links[output.place].append((second, action))
                    case .record, .made, .publish, .count, .resetConnection, .changeLink, .restart:
                        continue
                    }
                }
            }
        }

        mutating func pass(seconds: Int) {
            for _ in 0..<seconds {
                clock.pass(.seconds(1))
                give(.wake, to: 0)
            }
        }
    }

    @Test func devicesOfADarkHomeLoseTheirConnectionUntilThePowerIsBack() throws {
        var bench = try Bench()
        bench.pass(seconds: 10)
        bench.give(.inject(try Fault(.gridOutage), until: nil), to: 0)
        bench.pass(seconds: 20)
        #expect(bench.links.map(\.count) == [0, 0], "the store supplies the home")
        bench.give(.inject(try Fault(.hardwareFault), until: nil), to: 0)
        bench.pass(seconds: 30)
        for link in bench.links {
            #expect(link.map(\.action) == [.dropConnection])
            #expect((30...42).contains(link[0].second), "\(link)")
        }
        bench.give(.clear(.gridOutage), to: 0)
        bench.pass(seconds: 70)
        for link in bench.links {
            #expect(link.map(\.action) == [.dropConnection, .connect])
            #expect((65...122).contains(link[1].second), "\(link)")
        }
    }

    @Test func aDockWithoutPowerDoesNotCharge() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning"))
        bench.pass(.seconds(600))
        bench.give(try Order("return-to-dock", sequence: 2))
        while bench.state?.state["activity"] != "docked" { bench.pass(.seconds(10)) }
        #expect(bench.state?.state["isCharging"] == true)
        bench.device.setMains(false)
        bench.pass(.seconds(5))
        #expect(bench.state?.state["isCharging"] == false)
        let before = bench.log.samples.last?.values["batteryPercent"]
        bench.device.setMains(true)
        bench.pass(.seconds(1200))
        #expect(
            bench.device.behaviour.mainsW >= 0
                && bench.log.samples.last?.values["batteryPercent"] != before)
    }

    /// A fault ends in a dark home: the device stays away, because the home has no power.
    @Test func severalReasonsKeepADeviceAway() throws {
        var bench = try Bench()
        bench.pass(seconds: 2)
        bench.give(.inject(try Fault(.offline), until: nil), to: 1)
        bench.give(.inject(try Fault(.gridOutage), until: nil), to: 0)
        bench.give(.inject(try Fault(.hardwareFault), until: nil), to: 0)
        bench.pass(seconds: 15)
        bench.give(.clear(.offline), to: 1)
        bench.pass(seconds: 15)
        #expect(bench.links[1].map(\.action) == [.dropConnection])
        bench.give(.clear(nil), to: 0)
        bench.pass(seconds: 70)
        #expect(bench.links[1].map(\.action) == [.dropConnection, .connect])
    }
}
