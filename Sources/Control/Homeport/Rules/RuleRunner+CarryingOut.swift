internal import Automation
internal import Basics
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain

extension RuleRunner {
    /// Runs that are carried out at a time: a device that must be looked for first holds up no other one.
    private static let mostAtOnce = 16

    /// Carries out the steps of the engine until the task is cancelled.
    func carryOutSteps() async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await _ in wakes {
                for (run, isResumed) in takeLeftRuns() + (await takeRuns()) {
                    if running == Self.mostAtOnce {
                        await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { await self.carryOut(run, isResumed: isResumed) }
                }
            }
        }
    }

    /// Stores what is to be remembered, and takes the runs in the ledger before anybody else can.
    /// - Returns: the runs that are ours.
    private func takeRuns() async -> [(RecordedRun, isResumed: Bool)] {
        let (steps, lost) = state.withLock { state in
            defer { (state.steps, state.lost) = ([], 0) }
            return (state.steps, state.lost)
        }
        if lost > 0 { report(.overrun(lost: lost)) }
        var taken: [(RecordedRun, isResumed: Bool)] = []
        var watches: [RuleWatchKey: RuleWatch] = [:]
        for step in steps {
            switch step {
            case .remember(let key, let watch): watches[key] = watch
            case .stop(let rules, let cause): await reporting { try await stop(rules, cause) }
            case .run(let run, let key, let watch):
                watches[key] = nil
                await reporting {
                    if let ours = try await take(run, key, watch) { taken.append((ours, false)) }
                }
            }
        }
        await reporting { try await repository.remember(watches) }
        return taken
    }

    /// - Returns: `nil` for a run that is not ours.
    private func take(
        _ run: RuleRun, _ key: RuleWatchKey, _ watch: RuleWatch
    ) async throws(LedgerError) -> RecordedRun? {
        guard let rule = state.withLock({ $0.rules[run.rule] }),
            let id = try await repository.begin(run, key, watch)
        else { return nil }
        let now = clock.now
        let receivers = Set(run.commands(of: rule.plan).compactMap(\.receiver))
        state.withLock { state in
            for device in receivers { state.engine?.note(run, to: device, at: now) }
        }
        return RecordedRun(id: id, run: run, name: rule.plan.name, outcome: nil)
    }

    private func takeLeftRuns() -> [(RecordedRun, isResumed: Bool)] {
        state.withLock { state in
            defer { state.left = [] }
            return state.left.map { ($0, true) }
        }
    }

    /// Carries a run out, and writes down what came of it.
    /// - Parameter isResumed: whether another process has taken it and not finished it.
    private func carryOut(_ run: RecordedRun, isResumed: Bool) async {
        let rule = state.withLock { $0.rules[run.run.rule] }
        var outcome: String? = "not done: the server ended before it was carried out"
        if let rule, !isResumed || rule.plan.allows(run.run, at: clock.now) && rule.pause == nil {
            outcome = await carrying.carryOut(run, of: rule, isResumed: isResumed)
        }
        // Without an outcome the run stays open, and a later server goes on with it.
        guard let outcome else { return }
        await reporting {
            try await repository.end(run.id, outcome, at: clock.now.wall)
            report(.ran(RecordedRun(id: run.id, run: run.run, name: run.name, outcome: outcome)))
        }
    }

    /// Pauses rules that trigger each other, and tells the user.
    private func stop(_ ids: [RuleID], _ cause: String) async throws(LedgerError) {
        let now = clock.now.wall
        let rules = state.withLock { state in ids.compactMap { state.rules[$0] } }
        guard let first = rules.first else { return }
        let reason = RuleNotice.stopReason(rules)
        try await repository.pause(ids, RulePause(at: now, reason: reason))
        report(.stopped(rules, cause: cause))
        await carrying.notify(
            RuleNotification(
                home: owner.home, rule: first.id, name: first.plan.name, device: nil, at: now,
                text: reason))
    }

    private func reporting(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            report(.failed(HomeError(wrapping: error)))
        }
    }
}

extension RulePlan {
    /// Whether it is not too late to finish a run.
    fileprivate func allows(_ run: RuleRun, at now: Moment) -> Bool {
        now.wall.since(run.at) <= maxAge
    }
}
