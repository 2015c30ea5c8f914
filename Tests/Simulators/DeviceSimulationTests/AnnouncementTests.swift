import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Announcing, `hello`, presence, telemetry, the state's revision (PROTOCOL section 2).
@Suite struct AnnouncementTests {
    @Test func deviceAnnouncesItselfInOrder() throws {
        let bench = try DeviceBench("sweeper-s1")
        let said = bench.log.outline.filter { !$0.hasPrefix("record") }
        #expect(said == ["description", "presence online", "state 1"])
        #expect(bench.device.will.report.status == .offline)
        #expect(bench.device.will.report.boot == bench.device.boot)
        let state = try #require(bench.state)
        #expect(
            Set(state.state.keys)
                == ["activity", "fanSpeed", "isCharging", "error", "batteryPercent"])
        #expect(state.by == nil && state.at == bench.clock.world)
    }

    @Test func helloIsAnsweredWithinItsSpreadWithTheLastState() throws {
        var bench = try DeviceBench("sweeper-s1", telemetryEvery: .seconds(3600))
        bench.give(try Order("set-suction-level", ["level": "max"]))
        let last = try #require(bench.state)
        bench.pass(.seconds(10))
        #expect(bench.give(hello("a", spread: 2000)).isEmpty)
        let answer = bench.pass(.seconds(2))
        #expect(answer.outline == ["description", "presence online", "state 2"])
        #expect(answer.states == [last])
    }

    @Test func helloIsHonouredOnceInFiveSecondsAndNeverRetained() throws {
        var bench = try DeviceBench("sweeper-s1", telemetryEvery: .seconds(3600))
        #expect(bench.give(hello("a", spread: 0)).states.count == 1)
        bench.clock.pass(.milliseconds(4999))
        #expect(bench.give(hello("b", spread: 0)).outline == ["count ignored-hello"])
        bench.clock.pass(.milliseconds(1))
        #expect(bench.give(hello("c", spread: 0)).states.count == 1)
        bench.clock.pass(.seconds(60))
        let retained = DeviceInput.hello(HelloMessage(nonce: "d", spread: .zero), retained: true)
        #expect(bench.give(retained).counts == [.ignoredHello])
    }

    @Test func devicesSpreadTheirAnswersDeterministically() throws {
        var delays: Set<Duration> = []
        for number in 0..<40 {
            var times: [Duration] = []
            for _ in 0..<2 {
                let identity = DeviceIdentity(
                    home: try HomeID("h"), device: try DeviceID("d-\(number)"),
                    model: DeviceModel(rawValue: "sweeper-s1"), name: "")
                let clock = BenchClock()
                var device = LoneDevice(
                    try SimulatedDevice(
                        identity: identity, seed: 1, boot: BootID("b1"),
                        telemetryInterval: .seconds(3600), at: clock.now), at: clock.now)
                _ = device.handle(.connected, at: clock.now)
                _ = device.handle(hello("x", spread: 2000), at: clock.now)
                times.append(try #require(device.nextWake) - clock.monotonic)
            }
            #expect(times[0] == times[1] && times[0] <= .seconds(2))
            delays.insert(times[0])
        }
        #expect(delays.count > 30)
    }

    @Test func offlineOnTheOwnTopicIsRepairedAfterASecondButNotTooOften() throws {
        var bench = try DeviceBench("sweeper-s1", telemetryEvery: .seconds(3600))
        #expect(bench.give(.presence(bench.device.will)).outline == ["count presence-repair"])
        #expect(bench.pass(.milliseconds(999)).presences.isEmpty)
        let repaired = bench.pass(.milliseconds(1)).presences
        #expect(repaired.map(\.report.status) == [.online])
        #expect(repaired.first?.report.boot == bench.device.boot)
        bench.give(.presence(bench.device.will))
        #expect(bench.pass(.milliseconds(4999)).presences.isEmpty)
        #expect(bench.pass(.milliseconds(1)).presences.count == 1)
    }

    @Test func otherDeviceUnderTheSameNameIsCountedNotFought() throws {
        var bench = try DeviceBench("sweeper-s1")
        let foreign = PresenceMessage(
            device: bench.device.identity.device,
            report: PresenceReport(status: .online, boot: try BootID("z9"), at: bench.clock.wire))
        #expect(bench.give(.presence(foreign)).outline == ["count foreign-presence"])
        #expect(bench.give(.presence(bench.log.presences[0])).isEmpty)
    }

    @Test func shutDownSaysOffline() throws {
        var bench = try DeviceBench("sweeper-s1")
        let last = bench.give(.shutDown)
        #expect(last.presences.map(\.report.status) == [.offline])
        #expect(last.outline.last == "presence offline")
    }

    @Test func telemetryIsNumberedFromOneInEveryBoot() throws {
        var bench = try DeviceBench("pool-c1")
        for _ in 0..<2 {
            bench.log = []
            bench.pass(.seconds(60))
            #expect(bench.log.samples.map(\.n) == Array(1...12))
            try bench.restart()
        }
    }

    @Test func measuredMembersAloneKeepTheRevisionAndComeAtMostEveryThirtySeconds() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning", valid: .seconds(60)))
        bench.log = []
        bench.pass(.seconds(1200))
        let states = bench.log.states
        #expect(states.count > 5)
        #expect(Set(states.map(\.revision)).count == 1)
        let gaps = zip(states, states.dropFirst()).map { $1.at.since($0.at) }
        #expect(gaps.allSatisfy { $0 >= .seconds(30) })
        #expect(Set(states.compactMap { $0.state["batteryPercent"]?.number }).count == states.count)
    }

    @Test func idleDeviceWakesForItsTelemetryAlone() throws {
        for model in ["sweeper-s1", "pool-p1", "pool-c1", "store-e5", "store-e10"] {
            var bench = try DeviceBench(model)
            var wakes = 0
            let end = bench.clock.monotonic + .seconds(600)
            while let wake = bench.device.nextWake, wake <= end {
                bench.clock.pass(wake - bench.clock.monotonic)
                bench.give(.wake)
                wakes += 1
            }
            #expect(wakes <= 124, "\(model): \(wakes)")
        }
    }

    @Test func wallClockThatJumpsMovesNoRobot() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("start-cleaning", valid: .seconds(3600)))
        bench.pass(.seconds(30))
        let before = try #require(bench.log.samples.last)
        for jump in [Duration.seconds(86_400), .seconds(-200_000)] {
            bench.clock.wire = bench.clock.wire.advanced(by: jump)
            bench.pass(.seconds(5))
        }
        let after = try #require(bench.log.samples.last)
        let area = ["cleanedAreaM2"].map { (before.values[$0]?.number, after.values[$0]?.number) }[
            0]
        #expect(try #require(area.1) - #require(area.0) < 0.3)
    }

    private func hello(_ nonce: String, spread: Int) -> DeviceInput {
        .hello(HelloMessage(nonce: nonce, spread: .milliseconds(spread)), retained: false)
    }
}
