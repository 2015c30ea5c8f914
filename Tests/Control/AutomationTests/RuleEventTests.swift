import Connectivity
import DeviceDomain
import Testing

@testable import Automation

/// Rules of events: whom they are about, how old an event may be, how often they run.
@Suite struct RuleEventTests {
    private let robot = DeviceID.literal("sweeper-1")
    private let other = DeviceID.literal("sweeper-2")
    private let store = DeviceID.literal("store-1")

    private func bench(_ plan: RulePlan) throws -> RuleBench {
        var bench = RuleBench(plan)
        try bench.announce("sweeper-s1", as: robot, in: "Kitchen")
        try bench.announce("sweeper-s1", as: other)
        try bench.announce("store-e10", as: store)
        return bench
    }

    @Test func anEventLetsARuleRunForItsDevice() throws {
        var bench = try bench(RulePlan("event=stuck"))
        let runs = bench.hear(
            .event(EventReport(.stuck, detail: ["code": "WHEEL_BLOCKED"])), from: robot
        ).runs
        #expect(runs.map(\.device) == [robot])
        #expect(runs.map(\.targets) == [[robot]])
        #expect(runs.map(\.chain) == [[RuleID(number: 1)]])
        #expect(runs.first?.cause.hasSuffix("reported stuck (WHEEL_BLOCKED)") == true)
        #expect(bench.event(.docked, from: robot).isEmpty)
    }

    @Test func onlyDevicesOfItsScopeCount() throws {
        for (scope, devices) in [
            (RuleScope.everyDevice, [robot, other, store]),
            (.kind(.sweepingRobot), [robot, other]),
            (.device(store), [store]), (.room(try GivenName("kitchen")), [robot]),
        ] {
            var bench = try bench(RulePlan("event=fault", scope: scope))
            let heard = [robot, other, store].filter { !bench.event(.fault, from: $0).runs.isEmpty }
            #expect(heard == devices, "\(scope)")
        }
    }

    @Test func anEventThatIsTooOldLetsNothingRun() throws {
        var bench = try bench(RulePlan("event=stuck", maxAge: .seconds(60)))
        #expect(bench.event(.stuck, from: robot, age: .seconds(61)).isEmpty)
        #expect(bench.event(.stuck, from: robot, age: .seconds(59)).runs.count == 1)
        // A device whose clock is ahead is not old.
        #expect(bench.event(.stuck, from: robot, age: .seconds(-3_600)).runs.count == 1)
    }

    @Test func itRunsOncePerTimeForEachDevice() throws {
        var bench = try bench(RulePlan("event=stuck", oncePer: .seconds(3_600)))
        #expect(bench.event(.stuck, from: robot).runs.count == 1)
        #expect(bench.event(.stuck, from: other).runs.count == 1)
        _ = bench.pass(.seconds(3_599))
        #expect(bench.event(.stuck, from: robot).isEmpty)
        _ = bench.pass(.seconds(1))
        #expect(bench.event(.stuck, from: robot).runs.count == 1)
    }

    @Test func oncePerTimeHoldsOverARestart() throws {
        var bench = try bench(RulePlan("event=stuck", oncePer: .seconds(3_600)))
        let steps = bench.event(.stuck, from: robot)
        _ = bench.pass(.seconds(600))
        bench.restart(remembering: steps.remembered)
        #expect(bench.event(.stuck, from: robot).isEmpty)
        _ = bench.pass(.seconds(3_000))
        #expect(bench.event(.stuck, from: robot).runs.count == 1)
    }

    @Test func aClockThatIsSetBackDoesNotSilenceARule() throws {
        var bench = try bench(RulePlan("event=stuck", oncePer: .seconds(60)))
        #expect(bench.event(.stuck, from: robot).runs.count == 1)
        bench.now.wall = bench.now.wall.advanced(by: .seconds(-86_400))
        #expect(bench.event(.stuck, from: robot).runs.count == 1)
    }

    @Test func conditionsAreThoseOfTheDevice() throws {
        var bench = try bench(RulePlan("event=stuck", if: ["batteryPercent<50"]))
        #expect(bench.event(.stuck, from: robot).isEmpty)
        _ = bench.sample(.batteryPercent, 60, from: robot)
        #expect(bench.event(.stuck, from: robot).isEmpty)
        _ = bench.sample(.batteryPercent, 40, from: robot)
        #expect(bench.event(.stuck, from: robot).runs.count == 1)
    }

    @Test func aRuleThatIsPausedDoesNotRun() throws {
        var bench = try bench(RulePlan("event=stuck"))
        var rule = bench.engine.rules[0]
        rule.pause = RulePause(at: bench.now.wall)
        bench.engine.learn([rule], at: bench.now)
        #expect(bench.event(.stuck, from: robot).isEmpty)
        rule.pause = nil
        rule.since = bench.now.wall.advanced(by: .seconds(1))
        bench.engine.learn([rule], at: bench.now)
        #expect(bench.event(.stuck, from: robot).runs.count == 1)
    }

    @Test func commandsGoToTheDeviceOrTheReceiver() throws {
        let actions: [RuleAction] = [
            .send(RuleCommand("locate")), .notify, .send(RuleCommand("stop", to: other)),
        ]
        let plan = try RulePlan("event=stuck", do: actions)
        var bench = try bench(plan)
        let run = try #require(bench.event(.stuck, from: robot).runs.first)
        #expect(
            run.commands(of: plan) == [
                RuleCommand("locate", to: robot), RuleCommand("stop", to: other),
            ])
    }
}
