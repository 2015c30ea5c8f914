import Connectivity
import DeviceDomain
import Testing

@testable import Automation

/// Rules whose commands make each other run.
@Suite struct RuleLoopTests {
    private let store = DeviceID.literal("store-1")
    private let other = DeviceID.literal("store-2")
    private let command = RuleAction.send(RuleCommand("set-reserve", ["percent": 30]))

    @Test func twoRulesThatTriggerEachOtherAreStopped() throws {
        var bench = RuleBench(
            try RulePlan("reservePercent>50", do: [command]),
            try RulePlan("reservePercent<40", do: [command]))
        try bench.announce("store-e10", as: store)
        var stopped: [RuleID] = []
        var runs: [Int] = []
        for round in 0..<20 where stopped.isEmpty {
            let steps = state(round.isMultiple(of: 2) ? 60 : 30, round, &bench)
            runs += steps.runs.map(\.rule.number)
            stopped = steps.stopped
            _ = bench.pass(.seconds(2))
        }
        #expect(runs == [1, 2, 1, 2])
        #expect(stopped.map(\.number) == [1, 2])
        #expect(bench.engine.rules.isEmpty)
    }

    @Test func aRuleThatTriggersItselfIsStopped() throws {
        var bench = RuleBench(try RulePlan("event=fault", do: [command]))
        try bench.announce("store-e10", as: store)
        var stopped: [RuleID] = []
        var runs = 0
        for _ in 0..<20 {
            let steps = bench.event(.fault, from: store)
            note(steps, &bench)
            runs += steps.runs.count
            stopped += steps.stopped
            _ = bench.pass(.seconds(1))
        }
        #expect(runs == RuleChains.mostRunsAlone)
        #expect(stopped == [RuleID(number: 1)])
    }

    @Test func aChainOverSeveralDevicesIsFound() throws {
        var bench = RuleBench(
            try RulePlan(
                "event=fault", scope: .device(store), do: [.send(RuleCommand("stop", to: other))]),
            try RulePlan(
                "event=fault", scope: .device(other), do: [.send(RuleCommand("stop", to: store))]))
        try bench.announce("store-e10", as: store)
        try bench.announce("store-e10", as: other)
        var stopped: [RuleID] = []
        for round in 0..<5 {
            let steps = bench.event(.fault, from: round.isMultiple(of: 2) ? store : other)
            note(steps, &bench)
            stopped += steps.stopped
        }
        #expect(stopped.map(\.number) == [1, 2])
    }

    @Test func whatHappensMuchLaterDoesNotFollow() throws {
        var bench = RuleBench(try RulePlan("event=fault", do: [command]))
        try bench.announce("store-e10", as: store)
        for _ in 0..<10 {
            let steps = bench.event(.fault, from: store)
            note(steps, &bench)
            #expect(steps.runs.count == 1)
            _ = bench.pass(RuleChains.span + .seconds(1))
        }
    }

    @Test func aLoopWithTimesThatMustPassIsFound() throws {
        var bench = RuleBench(
            try RulePlan("reservePercent>50", hold: .seconds(300), do: [command]),
            try RulePlan("reservePercent<40", hold: .seconds(300), do: [command]))
        try bench.announce("store-e10", as: store)
        var stopped: [RuleID] = []
        for round in 0..<20 where stopped.isEmpty {
            _ = state(round.isMultiple(of: 2) ? 60 : 30, round, &bench)
            let steps = bench.pass(.seconds(300))
            note(steps, &bench)
            stopped = steps.stopped
            _ = bench.pass(.seconds(1))
        }
        #expect(stopped.map(\.number) == [1, 2])
    }

    @Test func tellingTheUserIsNoCommand() throws {
        var bench = RuleBench(try RulePlan("event=fault"))
        try bench.announce("store-e10", as: store)
        for _ in 0..<50 {
            let steps = bench.event(.fault, from: store)
            note(steps, &bench)
            #expect(steps.runs.count == 1)
        }
    }

    @Test func aFloodOfEventsRunsEachOnce() throws {
        var bench = RuleBench(try RulePlan("event=fault", oncePer: .seconds(60)))
        var runs = 0
        for number in 0..<1_000 {
            let device = try DeviceID("store-\(number)")
            for _ in 0..<10 {
                _ = bench.hear(.presence(Presence(.online)), from: device)
                runs += bench.event(.fault, from: device).runs.count
            }
        }
        #expect(runs == 1_000)
    }

    // MARK: Steps

    /// The store reports its reserve, as if it had carried out the last command.
    private func state(_ reserve: Double, _ revision: Int, _ bench: inout RuleBench) -> [RuleStep] {
        let steps = bench.hear(
            .state(StateReport(["reservePercent": .number(reserve)], revision: revision + 1)),
            from: store)
        note(steps, &bench)
        return steps
    }

    /// What the owner of the engine says before it sends.
    private func note(_ steps: [RuleStep], _ bench: inout RuleBench) {
        for run in steps.runs {
            guard let rule = bench.engine.rules.first(where: { $0.id == run.rule }) else {
                continue
            }
            for command in run.commands(of: rule.plan) {
                guard let receiver = command.receiver else { continue }
                bench.engine.note(run, to: receiver, at: bench.now)
            }
        }
    }
}
