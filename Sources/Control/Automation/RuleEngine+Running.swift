internal import DeviceControl
public import DeviceDomain
public import HomeModel

extension RuleEngine {
    /// Why a rule is to run, and what tells that from other times.
    struct Occasion {
        /// For people.
        let cause: String
        /// What tells it from every other one of the rule and device.
        let text: String
        /// The rules whose commands have led to it.
        let chain: [RuleID]
    }

    /// Looks at the time: which holds are over, and which rules of a time are due.
    /// - Parameter model: what is known of the home; it is asked for where something is due.
    public mutating func look(at now: Moment, in model: () -> HomeModel) -> [RuleStep] {
        let isEnd = nextEnd.map { $0 <= now.elapsed } ?? false
        let times = rules.filter { due[$0.id].map { $0 <= now.wall } ?? false }
        guard isEnd || !times.isEmpty else { return [] }
        let model = model()
        return (isEnd ? endHolds(at: now, in: model) : [])
            + times.flatMap { runTimes(of: $0, at: now, in: model) }
    }

    private mutating func endHolds(at now: Moment, in model: HomeModel) -> [RuleStep] {
        nextEnd = nil
        let plans = Dictionary(rules.map { ($0.id, $0) }) { $1 }
        let holding = lasting.filter { if case .holding = $0.value { true } else { false } }
        let keys = holding.keys.sorted {
            ($0.rule, $0.device?.text ?? "") < ($1.rule, $1.device?.text ?? "")
        }
        var steps: [RuleStep] = []
        for key in keys {
            guard case .holding(let hold)? = lasting[key], let rule = plans[key.rule],
                let device = key.device.flatMap({ model.devices[$0] })
            else { continue }
            steps += wait(hold, rule, key, device, at: now) ?? []
        }
        return steps
    }

    private mutating func runTimes(
        of rule: Rule, at now: Moment, in model: HomeModel
    ) -> [RuleStep] {
        var steps: [RuleStep] = []
        while let moment = due[rule.id], moment <= now.wall {
            let earliest = now.wall.advanced(by: .zero - rule.plan.maxAge)
            due[rule.id] = nextTime(of: rule, after: max(moment, earliest))
            guard moment >= earliest else { continue }
            let occasion = Occasion(
                cause: rule.plan.trigger.cause(at: moment, in: calendar),
                text: "at:\(moment.milliseconds)", chain: [])
            let key = RuleWatchKey(rule: rule.id, device: nil)
            if let step = run(rule, key, for: model.devices(of: rule.plan.scope), occasion, at: now)
            {
                steps.append(step)
            }
        }
        return steps
    }

    /// When a rule of a time is due next; `nil` for never, and for other rules.
    func nextTime(of rule: Rule, after moment: Timestamp) -> Timestamp? {
        switch rule.plan.trigger {
        case .event, .presence, .comparison: nil
        case .time(let time):
            ScheduleRule.weekly(time, on: Set(Weekday.allCases)).next(after: moment, in: calendar)
        case .sun(let event): place?.next(event, after: moment)
        }
    }

    /// Lets a rule run, unless something speaks against it.
    /// - Parameter devices: the device that lets it run, or those that it is about.
    mutating func run(
        _ rule: Rule, _ key: RuleWatchKey, for devices: [KnownDevice], _ occasion: Occasion,
        at now: Moment
    ) -> RuleStep? {
        if let pause = rule.plan.oncePer, let last = lastRuns[key],
            (.zero..<pause).contains(now.wall.since(last))
        {
            return nil
        }
        let conditions = rule.plan.conditions
        let meeting = devices.filter { device in conditions.allSatisfy { $0.isMet(by: device) } }
        // A rule of a time may be about no device at all.
        guard !meeting.isEmpty || rule.plan.scope == .everyDevice && !rule.plan.trigger.isOfDevice
        else { return nil }
        if let loop = RuleChains.loop(of: rule.id, after: occasion.chain) {
            stop(loop)
            return .stop(loop, cause: occasion.cause)
        }
        lastRuns[key] = now.wall
        let run = RuleRun(
            rule: rule.id, device: key.device, at: now.wall, cause: occasion.cause,
            occasion: occasion.text, targets: meeting.map(\.id), chain: occasion.chain + [rule.id])
        return .run(run, key, watch(key))
    }
}

extension RuleTrigger {
    /// Why a rule of a time runs, for people.
    fileprivate func cause(at moment: Timestamp, in calendar: LocalCalendar) -> String {
        let minutes = (calendar.localSeconds(of: moment) / 60 % 1_440 + 1_440) % 1_440
        let time = TimeOfDay(minutes: minutes).map { "\($0)" } ?? ""
        return switch self {
        case .sun(let event): "\(RuleReason.sun(event, at: time))"
        case .time, .event, .presence, .comparison: "\(RuleReason.time(time))"
        }
    }
}

extension HomeModel {
    /// The devices that a rule of a time is about: none for one about no device, and one that is named also where
    /// nothing is known of it yet.
    fileprivate func devices(of scope: RuleScope) -> [KnownDevice] {
        scope == .everyDevice ? [] : allDevices.filter(scope.contains)
    }
}
