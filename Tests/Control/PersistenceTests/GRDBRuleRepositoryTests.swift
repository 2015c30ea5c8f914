import Automation
import DeviceControl
import DeviceDomain
import HomeModel
import Persistence
import TestSupport
import Testing

@Suite(.onEveryDatabase, .timeLimit(.minutes(2))) struct GRDBRuleRepositoryTests {
    private let repository: any TestedRules
    private let controller = ControllerID.literal("homeport")
    private let home = HomeID.literal("home-1")
    private let robot = DeviceID.literal("sweeper-1")
    private let start = Timestamp(milliseconds: 1_764_000_000_000)

    init() async throws {
        repository = try await LedgerHouse.requireCurrent().rules()
    }

    @Test func whatIsAddedIsReadBack() async throws {
        var rules = [
            try await add("stuck", "event=stuck", scope: .kind(.sweepingRobot)),
            try await add("late", "at=22:30", scope: .device(robot)),
            try await add("dusk", "sunset", scope: .room(GivenName("Living room"))),
            try await add("away", "presence=offline"),
        ]
        let plan = try RulePlan(
            name: GivenName("reserve"), trigger: RuleTrigger("stateOfChargePercent < 20.5"),
            hold: .seconds(300), margin: 2.5, scope: .everyDevice,
            conditions: [
                try DeviceCondition(reading: "mode=backup"),
                try DeviceCondition(reading: "error=null"),
            ],
            actions: [
                .send(RuleCommand("set-reserve", ["percent": 30])), .notify,
                .send(RuleCommand("stop", to: robot)),
            ], oncePer: .seconds(3_600), maxAge: .seconds(60))
        rules.append(
            try #require(try await repository.add(plan, of: controller, in: home, from: start)))
        #expect(try await repository.rules(of: controller, in: home) == rules)
        #expect(try repository.readRules(of: controller, in: home) == rules)
        #expect(rules.map(\.id.number) == [1, 2, 3, 4, 5])
        #expect(rules.allSatisfy { $0.since == start && $0.pause == nil && $0.lastRun == nil })
    }

    @Test func aNameIsGivenOnce() async throws {
        _ = try await add("Stuck", "event=stuck")
        let plan = try plan("stuck", "event=fault")
        #expect(try await repository.add(plan, of: controller, in: home, from: start) == nil)
        #expect(try await repository.rules(of: controller, in: home).count == 1)
        let other = try HomeID("home-2")
        #expect(try await repository.add(plan, of: controller, in: other, from: start) != nil)
        #expect(try await repository.rules(of: ControllerID("other"), in: home).isEmpty)
    }

    @Test func aRuleIsPausedAndResumed() async throws {
        let rule = try await add("stuck", "event=stuck")
        try await remember(rule, RuleWatch(phase: .spent))
        let pause = RulePause(
            at: start.advanced(by: .seconds(1)), reason: "they trigger each other")
        try await repository.pause([rule.id], pause)
        // The first reason stays.
        try await repository.pause([rule.id], RulePause(at: start.advanced(by: .seconds(2))))
        #expect(try await only().pause == pause)
        #expect(try await begin(rule, "one") == nil)
        let later = start.advanced(by: .seconds(60))
        try await repository.resume(rule.id, from: later)
        #expect(try await only().pause == nil)
        #expect(try await only().since == later)
        #expect(try await repository.watches(of: controller, in: home).isEmpty)
        try await repository.resume(rule.id, from: later.advanced(by: .seconds(1)))
        #expect(try await only().since == later)
    }

    @Test func anOccasionBelongsToWhoeverTakesItFirst() async throws {
        let rule = try await add("stuck", "event=stuck")
        let other = try await LedgerHouse.requireCurrent().rules()
        async let ours = begin(rule, "one")
        async let theirs = begin(rule, "one", by: other)
        #expect(try await [ours, theirs].compactMap(\.self).count == 1)
        #expect(try await begin(rule, "two") != nil)
        #expect(try await begin(rule, "one", of: DeviceID("sweeper-2")) != nil)
        #expect(
            try await only().lastRun == Rule.LastRun(at: start, cause: "Robbie reported stuck"))
    }

    @Test func aRunIsOpenUntilItsEndIsKnown() async throws {
        let rule = try await add("stuck", "event=stuck")
        let first = try #require(try await begin(rule, "one"))
        let second = try #require(try await begin(rule, "two"))
        let open = try await repository.openRuns(of: controller, in: home)
        #expect(open.map(\.id) == [first, second])
        #expect(open[0].run == run(rule, "one"))
        #expect(open[0].name.text == "stuck")
        try await repository.end(first, "done", at: start)
        #expect(try await repository.openRuns(of: controller, in: home).map(\.id) == [second])
        #expect(try await repository.run(first)?.outcome == "done")
    }

    @Test func runsStayWhenTheirRuleIsRemoved() async throws {
        let rule = try await add("stuck", "event=stuck")
        let id = try #require(try await begin(rule, "one"))
        try await remember(rule, RuleWatch(phase: .spent))
        #expect(try await repository.remove(rule.id))
        #expect(try await !repository.remove(rule.id))
        #expect(try await repository.run(id)?.name.text == "stuck")
        #expect(try await repository.watches(of: controller, in: home).isEmpty)
        // What comes late from a server that has not heard of it leaves no trace.
        try await remember(rule, RuleWatch(phase: .spent))
        #expect(try await begin(rule, "two") == nil)
        #expect(try await repository.watches(of: controller, in: home).isEmpty)
        #expect(try await add("stuck", "event=stuck").id > rule.id)
    }

    @Test(arguments: [
        RuleWatch(), RuleWatch(phase: .spent, lastRun: Timestamp(milliseconds: 5)),
        RuleWatch(phase: .holding(since: Timestamp(milliseconds: 7))),
    ])
    func whatIsRememberedIsReadBack(watch: RuleWatch) async throws {
        let rule = try await add("stuck", "event=stuck")
        try await remember(rule, RuleWatch(phase: .spent))
        try await remember(rule, watch)
        let key = RuleWatchKey(rule: rule.id, device: robot)
        let ofTime = RuleWatchKey(rule: rule.id, device: nil)
        try await repository.remember([ofTime: watch])
        #expect(
            try await repository.watches(of: controller, in: home) == [key: watch, ofTime: watch])
    }

    @Test func oldRunsAreDropped() async throws {
        let rule = try await add("stuck", "event=stuck")
        let other = try await add("other", "event=stuck")
        let kept = try #require(try await begin(other, "one"))
        let open = try #require(try await begin(rule, "open"))
        try await repository.end(kept, "done", at: start)
        var ids: [RuleRunID] = []
        for number in 0..<(RecordedRun.mostPerRule + 200) {
            let id = try #require(try await begin(rule, "\(number)"))
            try await repository.end(id, "done", at: start)
            ids.append(id)
        }
        #expect(try await repository.run(ids[0]) == nil)
        #expect(try await repository.run(ids[ids.count - RecordedRun.mostPerRule]) != nil)
        #expect(try await repository.run(open) != nil)
        #expect(try await repository.run(kept) != nil)
    }

    // MARK: Steps

    private func plan(
        _ name: String, _ when: String, scope: RuleScope = .everyDevice
    ) throws -> RulePlan {
        try RulePlan(
            name: GivenName(name), trigger: RuleTrigger(when), scope: scope, actions: [.notify])
    }

    private func add(
        _ name: String, _ when: String, scope: RuleScope = .everyDevice
    ) async throws -> Rule {
        let plan = try plan(name, when, scope: scope)
        return try #require(
            try await repository.add(plan, of: controller, in: home, from: start))
    }

    private func only() async throws -> Rule {
        try #require(try await repository.rules(of: controller, in: home).first)
    }

    private func remember(_ rule: Rule, _ watch: RuleWatch) async throws {
        try await repository.remember([RuleWatchKey(rule: rule.id, device: robot): watch])
    }

    private func run(_ rule: Rule, _ occasion: String, of device: DeviceID? = nil) -> RuleRun {
        RuleRun(
            rule: rule.id, device: device ?? robot, at: start, cause: "Robbie reported stuck",
            occasion: occasion, targets: [device ?? robot, .literal("sweeper-9")], chain: [rule.id])
    }

    private func begin(
        _ rule: Rule, _ occasion: String, of device: DeviceID? = nil,
        by other: (any TestedRules)? = nil
    ) async throws -> RuleRunID? {
        let key = RuleWatchKey(rule: rule.id, device: device ?? robot)
        return try await (other ?? repository).begin(
            run(rule, occasion, of: device), key, RuleWatch(lastRun: start))
    }
}
