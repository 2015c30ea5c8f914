internal import Automation
internal import Connectivity
package import DeviceControl
public import DeviceDomain
internal import History
internal import HomeModel
internal import Persistence

extension HomeRules {
    /// How much of the past is read at once.
    private static let page = Duration.seconds(86_400)

    /// What a rule would have done in a part of the recorded past, if nothing else had been done for it. It needs no
    /// connection.
    /// - Throws: ``HomeError`` `unknownRule`, `history`, `ledger`.
    public func rehearse(
        _ reference: String, from start: Timestamp, to end: Timestamp
    ) async throws(HomeError) -> RuleRehearsal {
        try await rehearse(reference, from: start, to: end, in: .system)
    }

    /// As ``rehearse(_:from:to:)``, in another time zone.
    package func rehearse(
        _ reference: String, from start: Timestamp, to end: Timestamp, in calendar: LocalCalendar
    ) async throws(HomeError) -> RuleRehearsal {
        let rule = try await find(reference)
        let observation = commands.observation
        await observation.labels.learn()
        var rehearsal = RuleRehearsal(of: rule)
        guard rule.plan.trigger.isOfDevice || rule.plan.scope != .everyDevice else {
            rehearsal.runs = times(of: rule, from: start, to: end, in: calendar)
            return rehearsal
        }
        var runs: [RuleRun] = []
        for remembered in try await observation.rememberedDevices() {
            var device = RehearsedDevice(
                remembered, in: home, observation.live.labels, rule, calendar, at: location,
                from: start)
            guard device.isMeant(by: rule) else { continue }
            rehearsal.deviceCount += 1
            var moment = start
            while moment < end {
                let next = min(end, moment.advanced(by: Self.page))
                try await read(remembered.profile.id, moment..<next, &device, &rehearsal)
                moment = next
            }
            device.pass(until: end)
            runs += device.runs
        }
        rehearsal.runs =
            rule.plan.trigger.isOfDevice ? runs.sorted { $0.at < $1.at } : Self.joined(runs)
        return rehearsal
    }

    /// The runs of a rule that is about no device.
    private func times(
        of rule: Rule, from start: Timestamp, to end: Timestamp, in calendar: LocalCalendar
    ) -> [RuleRun] {
        let begun = Rule(id: rule.id, plan: rule.plan, since: start)
        var now = Moment(wall: start, elapsed: .zero)
        var engine = RuleEngine([begun], in: calendar, at: location, from: now)
        var runs: [RuleRun] = []
        while let next = engine.nextLook(after: now), next < end.since(start) {
            now = Moment(wall: start.advanced(by: next), elapsed: next)
            runs += engine.look(at: now) { HomeModel(home) }.runs
        }
        return runs
    }

    private func read(
        _ id: DeviceID, _ period: Range<Timestamp>, _ device: inout RehearsedDevice,
        _ rehearsal: inout RuleRehearsal
    ) async throws(HomeError) {
        guard let store = try await history.store() else { return }
        let samples: [RecordedSample]
        var facts: ArraySlice<RecordedFact>
        do throws(HistoryError) {
            samples = try await store.samples(of: id, in: home, period)
            facts = try await store.facts(of: id, in: home, period)[...]
        } catch {
            throw HomeError(.history, "\(error)")
        }
        for sample in samples {
            while let fact = facts.first, fact.at <= sample.at {
                device.hear(fact)
                facts.removeFirst()
                rehearsal.recordCount += 1
            }
            device.hear(sample)
            rehearsal.recordCount += 1
            rehearsal.hasMeans = rehearsal.hasMeans || sample.isMean
            rehearsal.unrecorded.subtract(sample.values.keys)
        }
        for fact in facts {
            device.hear(fact)
            rehearsal.recordCount += 1
        }
    }

    /// Runs of a rule of a time: each device has its own, and those at one time are one.
    private static func joined(_ runs: [RuleRun]) -> [RuleRun] {
        Dictionary(grouping: runs, by: \.occasion).values.map { same in
            RuleRun(
                rule: same[0].rule, device: nil, at: same[0].at, cause: same[0].cause,
                occasion: same[0].occasion, targets: Set(same.flatMap(\.targets)).sorted(),
                chain: same[0].chain)
        }.sorted { $0.at < $1.at }
    }
}
