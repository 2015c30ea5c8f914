import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Faults of energy stores and of their grid.
@Suite struct StoreFaultTests {
    @Test func aDefectiveStoreGivesAndTakesNothing() throws {
        var bench = try DeviceBench("store-e5")
        let charge = try Order("charge", ["powerW": 2000])
        bench.give(charge)
        bench.pass(.seconds(60))
        let actions = try bench.inject(.hardwareFault)
        #expect(actions.verdicts == ["failed/HARDWARE_FAULT"])
        #expect(actions.states.last?.state["alarms"] == ["hardware-fault"])
        #expect(actions.eventDetails == ["fault": ["code": "HARDWARE_FAULT"]])
        bench.pass(.seconds(10))
        #expect(bench.log.samples.last?.values["batteryPowerW"] == 0)
        let next = try Order("charge", ["powerW": 2000], at: bench.clock.wire)
        #expect(bench.give(next).verdicts == ["rejected/WRONG_STATE"])
        #expect(bench.give(.clear(nil)).states.last?.state["alarms"] == [])
        let again = try Order("charge", ["powerW": 2000], at: bench.clock.wire)
        #expect(bench.give(again).verdicts == ["accepted/OK"])
    }

    /// The fault heats the store; power, alarm and event follow from its temperature.
    @Test func aHotStoreIsLimitedAndCoolsAtTheEnd() throws {
        var bench = try DeviceBench("store-e5")
        bench.give(try Order("charge", ["powerW": 2500]))
        let actions = try bench.inject(.overTemperature, ["percent": 40])
        #expect(actions.states.last?.state["alarms"] == ["over-temperature"])
        #expect(actions.eventDetails == ["over-temperature": ["temperatureC": 51]])
        bench.pass(.seconds(600))
        let hot = try #require(bench.log.samples.last?.values["batteryPowerW"]?.number)
        #expect((980...1020).contains(hot), "40 % of 2500 W")
        #expect(bench.log.samples.last?.values["temperatureC"] == 51)
        bench.give(.clear(nil))
        #expect(bench.state?.state["alarms"] == ["over-temperature"], "it is still hot")
        bench.pass(.seconds(2 * 3600))
        #expect(bench.state?.state["alarms"] == [])
        #expect(bench.log.events.count { $0 == "over-temperature" } == 1)
        let celsius = try #require(bench.log.samples.last?.values["temperatureC"]?.number)
        #expect(celsius < 45 && celsius > 25)
    }

    @Test func aFaultLeavesNoMoreThanItsShare() throws {
        var bench = try DeviceBench("store-e10")
        bench.give(try Order("charge", ["powerW": 3500]))
        try bench.inject(.overTemperature, ["percent": 0])
        bench.pass(.seconds(60))
        let values = try #require(bench.log.samples.last?.values)
        #expect(values["temperatureC"] == 55)
        #expect((14...16).contains(try #require(values["batteryPowerW"]?.number)), "standby only")
    }

    @Test func withoutAGridTheHomeIsAnIslandUntilTheEnd() throws {
        var bench = try DeviceBench("store-e10", seed: 2)
        bench.give(try Order("charge", ["powerW": 2000]))
        let actions = try bench.inject(.gridOutage)
        #expect(actions.verdicts == ["failed/NOT_READY"])
        #expect(actions.events == ["grid-lost"])
        #expect(actions.states.last?.state["gridConnected"] == false)
        #expect(actions.states.last?.state["alarms"] == ["grid-outage"])
        bench.log = []
        bench.pass(.seconds(3600))
        for sample in bench.log.samples {
            let flows = try EnergyStoreTests.Flows(sample)
            #expect(flows.gridW == 0 && flows.pvW == flows.loadW + flows.batteryW)
        }
        let end = bench.give(.clear(.gridOutage))
        #expect(end.events == ["grid-restored"])
        #expect(end.states.last?.state["gridConnected"] == true)
    }

    @Test func theEndOfAnOutageDoesNotEndAnIslandThatWasAskedFor() throws {
        var bench = try DeviceBench("store-e10", seed: 2)
        try bench.inject(.gridOutage)
        let revision = try #require(bench.state?.revision)
        let island = try Order("set-islanding", ["enabled": true], ifRevision: revision)
        #expect(bench.give(island).acks.last?.result["previous"] == false)
        #expect(bench.state?.state["alarms"] == [], "it is off the grid because it was asked to")
        bench.give(.clear(nil))
        #expect(bench.state?.state["gridConnected"] == false)
        #expect(!bench.log.events.contains("grid-restored"))
    }

    /// The island that was asked for survives; the outage is gone with the simulator.
    @Test(arguments: [true, false])
    func aKilledSimulatorForgetsTheOutageOnly(isIslanded: Bool) throws {
        var bench = try DeviceBench("store-e10", seed: 2)
        try bench.inject(.gridOutage)
        if isIslanded {
            let revision = try #require(bench.state?.revision)
            bench.give(try Order("set-islanding", ["enabled": true], ifRevision: revision))
        }
        try bench.restart()
        #expect(bench.state?.state["gridConnected"] == .boolean(!isIslanded))
    }

    @Test func anOutageAtOneStoreIsAnOutageOfTheHome() throws {
        var home = try HomeBench(["store-e5", "store-e10"])
        home.give(.inject(try Fault(.gridOutage), until: nil), to: 0)
        home.give(.inject(try Fault(.gridOutage), until: nil), to: 1)
        home.pass(.seconds(60))
        #expect(home.states.values.allSatisfy { $0.state["gridConnected"] == false })
        home.give(.clear(nil), to: 0)
        home.pass(.seconds(60))
        #expect(home.states.values.allSatisfy { $0.state["gridConnected"] == false })
        home.give(.clear(nil), to: 1)
        home.pass(.seconds(60))
        #expect(home.states.values.allSatisfy { $0.state["gridConnected"] == true })
    }
}
