import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Devices that start anew again and again, or have no supply.
@Suite struct SupplyFaultTests {
    @Test func aRebootLoopStartsTheDeviceAnewInTurn() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.rebootsWhenAsked = true
        #expect(try bench.inject(.rebootLoop, ["everySeconds": 20]).contains(.restart))
        #expect(bench.bootNumber == 2 && bench.device.faults[.rebootLoop] != nil)
        bench.pass(.seconds(19))
        #expect(bench.bootNumber == 2)
        bench.pass(.seconds(1))
        #expect(bench.bootNumber == 3)
        bench.pass(.seconds(60))
        #expect(bench.bootNumber == 6)
        bench.give(.clear(.rebootLoop))
        bench.pass(.seconds(60))
        #expect(bench.bootNumber == 6 && bench.device.faults == .none)
    }

    @Test func aRebootLoopInterruptsWhatRunsOnce() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.rebootsWhenAsked = true
        let order = try Order("start-cleaning")
        bench.give(order)
        bench.pass(.seconds(30))
        try bench.inject(.rebootLoop, ["everySeconds": 10], lasting: .seconds(35))
        bench.pass(.seconds(60))
        #expect(bench.bootNumber == 5)
        let key = CommandKey(controller: order.message.controller, id: order.id)
        let entry = try #require(bench.journal.entries[key])
        #expect(entry.ack.verdict == "failed/INTERRUPTED" && entry.executions == 1)
    }

    @Test(arguments: ["sweeper-s1", "pool-c1"])
    func aDeadRobotSaysNothingAndComesBackWithItsCharge(_ model: String) throws {
        var bench = try DeviceBench(model, tellingWhatItMakes: true)
        bench.rebootsWhenAsked = true
        let order = try Order(
            model == "pool-c1" ? "start-program" : "start-cleaning",
            model == "pool-c1" ? ["program": "full"] : [:])
        bench.give(order)
        bench.pass(.seconds(600))
        let charge = bench.device.behaviour.telemetry["batteryPercent"]
        #expect(charge != 100)
        let died = try bench.inject(.batteryDead)
        #expect(died.contains(.dropConnection) && died.published.isEmpty)
        #expect(bench.device.isKeptOffline)
        bench.log = []
        let behaviour = bench.device.behaviour.memory
        bench.pass(.seconds(7200))
        #expect(bench.log.made.isEmpty && bench.log.published.isEmpty && bench.log.records.isEmpty)
        #expect(bench.device.behaviour.memory == behaviour, "it does not move")
        #expect(try bench.inject(.reboot).isEmpty, "it is off")
        let boot = bench.bootNumber
        let back = bench.give(.clear(.batteryDead))
        #expect(back.contains(.restart) && bench.bootNumber == boot + 1)
        #expect(bench.device.behaviour.telemetry["batteryPercent"] == charge)
        #expect(bench.acks(of: order).map(\.verdict) == ["failed/INTERRUPTED"])
        #expect(bench.give(try Order("stop", at: bench.clock.wire)).verdicts.count == 2)
    }

    @Test func aDeadBatteryEndsByItself() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.rebootsWhenAsked = true
        try bench.inject(.batteryDead, lasting: .seconds(30))
        bench.pass(.seconds(29))
        #expect(bench.bootNumber == 1)
        bench.pass(.seconds(1))
        #expect(bench.bootNumber == 2 && !bench.device.isKeptOffline)
    }

    @Test func aStoreHasNoSuchBattery() {
        #expect(SimulatedFault.batteryDead.specification.kinds == [.sweepingRobot, .poolRobot])
    }
}
