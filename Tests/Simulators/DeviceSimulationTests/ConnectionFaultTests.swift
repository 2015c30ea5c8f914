import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Faults of the connection, the acks and the power.
@Suite struct ConnectionFaultTests {
    @Test(arguments: ["sweeper-s1", "pool-p1", "store-e5"])
    func anOfflineDeviceLosesItsConnectionAndComesBackInTime(_ model: String) throws {
        var bench = try DeviceBench(model)
        #expect(try bench.inject(.offline, lasting: .seconds(60)).contains(.dropConnection))
        bench.log = []
        bench.pass(.milliseconds(59_999))
        #expect(bench.log.published.isEmpty && !bench.log.contains(.connect))
        #expect(bench.device.isKeptOffline)
        bench.pass(.milliseconds(1))
        #expect(bench.log.contains(.connect) && !bench.device.isKeptOffline)
        let back = bench.give(.connected)
        #expect(back.presences.map(\.report.status) == [.online])
        #expect(back.presences.first?.report.boot == bench.device.boot, "no new boot")
    }

    @Test func aMuteDeviceActsAndAnswersAtTheEnd() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.mute)
        let level = try Order("set-suction-level", ["level": "max"])
        #expect(bench.give(level).acks.isEmpty && bench.give(level).acks.isEmpty)
        #expect(bench.state?.state["fanSpeed"] == "max", "the state is told")
        let clean = try Order("start-cleaning", ["rooms": [3]])
        bench.give(clean)
        bench.pass(.seconds(30))
        #expect(bench.log.acks.isEmpty && !bench.log.samples.isEmpty)
        let told = bench.give(.clear(.mute))
        #expect(told.verdicts == ["progress/OK", "succeeded/OK"])
        #expect(told.acks.map(\.id) == [clean.id, level.id])
        #expect(told.acks.map(\.isReplay) == [true, false])
        #expect(told.confirmations.count == 1, "the final ack waits for the broker")
        #expect(bench.give(try Order("locate", at: bench.clock.wire)).verdicts.count == 2)
    }

    @Test func aSlowDeviceAnswersInOrderAfterTheDelay() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.slow, ["delayMs": 2000])
        let order = try Order("set-suction-level", ["level": "max"])
        let actions = bench.give(order)
        #expect(actions.acks.isEmpty && actions.states.count == 1)
        #expect(bench.pass(.milliseconds(1999)).acks.isEmpty)
        let late = bench.pass(.milliseconds(1))
        #expect(late.verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(late.acks[0].at == bench.clock.wire.advanced(by: .seconds(-2)))
        #expect(late.confirmations == [Confirmation(of: order)])
    }

    @Test func theEndOfSlownessSendsWhatWaits() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.slow, ["delayMs": 60_000], lasting: .seconds(10))
        bench.give(try Order("locate"))
        #expect(bench.pass(.seconds(9)).acks.isEmpty)
        #expect(bench.pass(.seconds(1)).verdicts == ["accepted/OK", "succeeded/OK"])
    }

    @Test func aDeviceThatWasSlowAndMuteSendsEachAckOnceAndInOrder() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.slow, ["delayMs": 60_000])
        bench.give(try Order("locate"))
        try bench.inject(.mute)
        #expect(bench.give(.clear(nil)).verdicts == ["succeeded/OK"])
        #expect(bench.pass(.seconds(90)).acks.isEmpty)
    }

    @Test func aLostConnectionForgetsLateAcksAndRepeatsTheFinalOnes() throws {
        var bench = try DeviceBench("sweeper-s1")
        try bench.inject(.slow, ["delayMs": 5000])
        bench.give(try Order("locate"))
        bench.give(.disconnected)
        bench.give(.connected)
        #expect(bench.pass(.seconds(5)).verdicts == ["succeeded/OK"])
    }

    @Test(arguments: ["sweeper-s1", "pool-p1", "store-e5"])
    func aRebootIsTheOwnersToDoAndLeavesNoFault(_ model: String) throws {
        var bench = try DeviceBench(model)
        #expect(try bench.inject(.reboot) == [.restart])
        #expect(bench.device.faults == .none)
    }

    @Test func aRebootKeepsFaultsWithoutTellingThemAgain() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning"))
        bench.pass(.seconds(60))
        try bench.inject(.stuck)
        try bench.inject(.lowBattery, ["percent": 50])
        bench.log = []
        try bench.reboot()
        #expect(bench.log.events.isEmpty)
        #expect(bench.state?.state["error"] == "WHEEL_BLOCKED")
        #expect(bench.state?.state["batteryPercent"] == 50)
        bench.give(.clear(nil))
        #expect(bench.state?.state["error"] == .null)
        #expect(bench.device.faults == .none)
    }

    @Test func aRebootInterruptsTheRunningAction() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("start-cleaning")
        bench.give(order)
        bench.pass(.seconds(60))
        try bench.inject(.reboot)
        try bench.reboot()
        #expect(bench.acks(of: order).last?.verdict == "failed/INTERRUPTED")
        #expect(bench.acks(of: order).last?.executions == 1)
    }

    @Test func aFaultOfAnotherKindIsCounted() throws {
        var bench = try DeviceBench("store-e5")
        #expect(try bench.inject(.stuck) == [.count(.foreignFault)])
        #expect(bench.device.faults == .none)
    }

    /// World time decides: the monotonic clock says when to look.
    @Test func aFaultInjectedAgainHasTheNewTimeAndSeverity() throws {
        var bench = try DeviceBench("store-e5")
        try bench.inject(.overTemperature, ["percent": 20], lasting: .seconds(10))
        try bench.inject(.overTemperature, ["percent": 40], lasting: .seconds(30))
        #expect(bench.log.events == ["over-temperature"])
        bench.pass(.seconds(29))
        #expect(bench.device.faults.all.map(\.fault.settings) == [["percent": 40]])
        bench.pass(.seconds(1))
        #expect(bench.device.faults == .none)
    }

    @Test func aResetIsTheNetworksToDo() throws {
        var bench = try DeviceBench("sweeper-s1")
        #expect(try bench.inject(.reset) == [.resetConnection])
        #expect(bench.device.faults == .none)
        #expect(!SimulatedFault.reset.specification.lasts)
    }

    /// The network is told of each change, and nothing else happens to the device.
    @Test(
        arguments: [
            (.blackhole, [:], .having { $0.passage = .closed }),
            (.halfOpen, [:], .having { $0.passage = .halfOpen }),
            (.takeover, [:], .having { $0.isTakenOver = true }),
            (.loss, ["percent": 20], .having { $0.loss = 0.2 }),
            (.slowLink, ["bytesPerSecond": 50], .having { $0.bytesPerSecond = 50 }),
            (
                .latency, ["delayMs": 700, "jitterMs": 30],
                .having { ($0.delay, $0.jitter) = (.milliseconds(700), .milliseconds(30)) }
            ),
        ] as [(SimulatedFault, JSONObject, LinkFaults)])
    func aFaultOfTheNetworkIsToldWithItsEnd(
        _ fault: SimulatedFault, _ settings: JSONObject, link: LinkFaults
    ) throws {
        var bench = try DeviceBench("pool-p1")
        #expect(try bench.inject(fault, settings, lasting: .seconds(30)) == [.changeLink])
        #expect(bench.device.faults.link == link)
        bench.pass(.seconds(29))
        bench.log = []
        bench.pass(.seconds(1))
        #expect(bench.log.count { $0 == .changeLink } == 1)
        #expect(bench.device.faults.link == .none)
    }

    @Test func faultsOfTheNetworkAddUpAndSurviveAReboot() throws {
        var bench = try DeviceBench("store-e5")
        try bench.inject(.latency)
        try bench.inject(.slowLink)
        try bench.inject(.halfOpen)
        try bench.reboot()
        let link = bench.device.faults.link
        #expect(link.delay == .milliseconds(260) && link.jitter == .milliseconds(50))
        #expect(link.bytesPerSecond == 1000 && link.passage == .halfOpen)
        try bench.inject(.blackhole)
        #expect(bench.device.faults.link.passage == .closed, "nothing at all gets through")
    }

    /// Each fault alone and all together, on every model: after their end nothing is left of them.
    @Test(arguments: ["sweeper-s1", "sweeper-pro", "pool-p1", "pool-c1", "store-e5", "store-e10"])
    func nothingIsLeftOfAFault(_ model: String) throws {
        var bench = try DeviceBench(model)
        bench.rebootsWhenAsked = true
        let kind = bench.device.description.kind
        let faults = SimulatedFault.faults(of: kind).filter(\.specification.lasts)
        for fault in faults {
            try bench.inject(fault)
            bench.pass(.seconds(90))
            bench.give(.clear(fault))
            if fault == .offline { bench.give(.connected) }
            #expect(bench.device.faults == .none)
        }
        for fault in faults { try bench.inject(fault) }
        bench.pass(.seconds(90))
        bench.give(.clear(nil))
        bench.give(.connected)
        // A store that was heated needs some time to cool.
        bench.pass(.seconds(kind == .energyStore ? 3 * 3600 : 1))
        let state = try #require(bench.state?.state)
        #expect(state["error"] ?? .null == .null)
        #expect(state["alarms"] ?? [] == [])
        #expect(state["inWater"] ?? true == true)
        #expect(state["gridConnected"] ?? true == true)
        #expect(bench.give(try Order("identify", at: bench.clock.wire)).verdicts.count == 2)
    }
}

extension [DeviceAction] {
    /// What was published.
    var published: [DevicePublication] {
        compactMap { if case .publish(let publication, _) = $0 { publication } else { nil } }
    }
}

extension LinkFaults {
    /// A network with some changes.
    fileprivate static func having(_ change: (inout LinkFaults) -> Void) -> LinkFaults {
        var link = LinkFaults.none
        change(&link)
        return link
    }
}

extension DeviceSimulation.Confirmation {
    fileprivate init(of order: Order) {
        self.init(command: CommandKey(controller: order.message.controller, id: order.id))
    }
}
