import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// A home with two stores, recomputed from what they publish.
@Suite struct HouseholdTests {
    private static let models = ["store-e5", "store-e10"]

    /// A day in which the stores are told what to do, and in which they are killed three times.
    @Test func aDayOfTwoStoresIsOneBalanceAlsoOverKills() throws {
        var home = try HomeBench(Self.models)
        for quarter in 1...4 {
            home.pass(.seconds(3 * 3600))
            try order(quarter, in: &home)
            home.pass(.seconds(3 * 3600 + 1234))
            if quarter < 4 { try home.boot() }
        }
        let day = try PublishedDay(home.samples)
        #expect(day.instants.count > 17_000)
        #expect(day.instants.allSatisfy { $0.value.count == 2 }, "the stores sample together")
        try day.checkOneMeter()
        try day.checkCounters()
    }

    private func order(_ quarter: Int, in home: inout HomeBench) throws {
        let now = home.clock.wire
        switch quarter {
        case 1:
            home.give(try Order("discharge", ["powerW": 2000], at: now), to: 0)
        case 2:
            home.give(try Order("set-mode", ["mode": "backup"], at: now, sequence: 2), to: 1)
        case 3:
            home.give(try Order("charge", ["powerW": 1500], at: now), to: 1)
        default:
            home.give(
                try Order("set-mode", ["mode": "time-of-use"], at: now, sequence: 4), to: 0)
        }
    }

    @Test func storesShareTheSunAndNeverFeedEachOther() throws {
        var home = try HomeBench(Self.models)
        home.pass(.seconds(600))
        let sunny = try PublishedDay(home.samples).flows
        #expect(sunny.contains { $0.batteries.allSatisfy { $0 > 0 } }, "both charge at noon")
        home.give(try Order("discharge", ["powerW": 2000], at: home.clock.wire), to: 0)
        home.samples = []
        home.pass(.seconds(60))
        for flow in try PublishedDay(home.samples).flows.dropFirst() {
            #expect((flow.batteries[0] + 2000).magnitude < 40)
            // It may be late by some seconds, and its meter and the roof's have errors.
            #expect(flow.batteries[1] < max(0, flow.pvW - flow.loadW) * 1.1 + 300)
            #expect(flow.batteries[1] > -50)
        }
    }

    /// A command that comes between the two wakes of one instant changes no reading of it.
    @Test func bothStoresReportTheInstantAndNotTheMomentOfTheirWake() throws {
        var home = try HomeBench(Self.models, telemetryEvery: .seconds(30))
        home.pass(.seconds(60))
        home.samples = []
        home.clock.pass(.seconds(31))
        home.give(.wake, to: 0)
        home.give(try Order("discharge", ["powerW": 2000], at: home.clock.wire), to: 0)
        home.clock.pass(.seconds(2))
        home.give(.wake, to: 0)
        home.give(.wake, to: 1)
        let day = try PublishedDay(home.samples)
        #expect(home.samples.count == 2 && day.instants.count == 1)
        try day.checkOneMeter()
    }

    /// However late its wakes are, and however many stores are woken after the first.
    @Test(arguments: 1...5)
    func aHomeThatIsWokenLateCountsItsEnergyOnce(offset: Int) throws {
        var home = try HomeBench(Self.models)
        home.pass(.seconds(60 + offset))
        home.give(try Order("discharge", ["powerW": 2000], at: home.clock.wire), to: 0)
        home.samples = []
        for _ in 1...24 {
            home.clock.pass(.seconds(5))
            for index in Self.models.indices { home.give(.wake, to: index) }
        }
        let samples = home.samples.filter { $0.device.text == "store-1" }
        let (first, last) = (try #require(samples.first), try #require(samples.last))
        let counted = try [first, last].map { try #require($0.values["dischargedKWh"]?.number) }
        let expected = 2000 * last.at.since(first.at).seconds / 3_600_000
        let difference = (counted[1] - counted[0] - expected).magnitude
        #expect(difference < 0.002 + 0.012 * expected, "of \(expected) kWh")
    }

    @Test func theHomeIsCutOffTheGridAsAWhole() throws {
        var home = try HomeBench(Self.models)
        let charge = try Order("charge", ["powerW": 1500])
        home.give(charge, to: 1)
        home.pass(.seconds(20))
        let revision = try #require(home.states[try DeviceID("store-1")]?.revision)
        home.give(
            try Order(
                "set-islanding", ["enabled": true], at: home.clock.wire, ifRevision: revision),
            to: 0)
        home.samples = []
        home.pass(.seconds(20))
        #expect(home.events == ["grid-lost", "grid-lost"])
        #expect(home.states.values.allSatisfy { $0.state["gridConnected"] == false })
        for flow in try PublishedDay(home.samples).flows.dropFirst() { #expect(flow.gridW == 0) }
        try home.boot()
        home.samples = []
        home.pass(.seconds(20))
        #expect(home.states.values.allSatisfy { $0.state["gridConnected"] == false })
        for flow in try PublishedDay(home.samples).flows { #expect(flow.gridW == 0) }
    }
}

/// What a listener can recompute from the samples of a home's stores.
struct PublishedDay {
    /// The samples of each instant, by store.
    let instants: [Timestamp: [DeviceID: TelemetryMessage]]
    private let samples: [TelemetryMessage]

    /// The flows at one instant.
    struct Flow {
        let at: Timestamp
        let pvW, loadW, gridW: Double
        /// The stores' powers, in the order of their names.
        let batteries: [Double]
    }

    init(_ samples: [TelemetryMessage]) throws {
        self.samples = samples
        instants = Dictionary(grouping: samples, by: \.at).mapValues { group in
            Dictionary(group.map { ($0.device, $0) }) { first, _ in first }
        }
    }

    /// The flows of all instants, in order.
    var flows: [Flow] {
        get throws {
            try instants.sorted { $0.key < $1.key }.map { at, byStore in
                let stores = byStore.sorted { $0.key < $1.key }.map(\.value)
                return Flow(
                    at: at, pvW: try value("pvPowerW", of: stores[0]),
                    loadW: try value("loadPowerW", of: stores[0]),
                    gridW: try value("gridPowerW", of: stores[0]),
                    batteries: try stores.map { try value("batteryPowerW", of: $0) })
            }
        }
    }

    /// All stores report one sun, one load and one meter, and the powers add up to the watt.
    func checkOneMeter() throws {
        for (at, stores) in instants {
            for member in ["pvPowerW", "loadPowerW", "gridPowerW"] {
                let reported = Set(try stores.values.map { try value(member, of: $0) })
                #expect(reported.count == 1, "\(member) at \(at): \(reported)")
            }
        }
        for flow in try flows {
            let batteries = flow.batteries.reduce(0, +)
            #expect(flow.gridW + flow.pvW == flow.loadW + batteries, "\(flow)")
        }
    }

    /// The counters of each store never fall, and are the integrals of its power.
    func checkCounters() throws {
        for (device, own) in Dictionary(grouping: samples, by: \.device) {
            var (charged, discharged) = (0.0, 0.0)
            var totals = (0.0, 0.0)
            for (before, after) in zip(own, own.dropFirst()) {
                let grown = try ["chargedKWh", "dischargedKWh"].map { member in
                    let (old, new) = (try value(member, of: before), try value(member, of: after))
                    #expect(new >= old, "\(member) of \(device) at \(after.at): \(old) to \(new)")
                    return new - old
                }
                // While the process was dead, time went on and nothing flowed.
                guard before.boot == after.boot else { continue }
                totals = (totals.0 + grown[0], totals.1 + grown[1])
                let watts = try value("batteryPowerW", of: before)
                let energy = watts * after.at.since(before.at).seconds / 3_600_000
                if energy > 0 { charged += energy } else { discharged -= energy }
            }
            #expect((totals.0 - charged).magnitude < 0.01 * totals.0 + 0.02, "\(device)")
            #expect((totals.1 - discharged).magnitude < 0.01 * totals.1 + 0.02, "\(device)")
            #expect(totals.0 > 1 && totals.1 > 0.1, "\(device) \(totals)")
        }
    }

    private func value(_ member: String, of sample: TelemetryMessage) throws -> Double {
        try #require(sample.values[member]?.number)
    }
}
