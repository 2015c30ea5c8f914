internal import Connectivity
public import DeviceDomain
internal import DeviceMessages
public import HomeModel

extension RuleEngine {
    /// Takes in that something changed at a device.
    /// - Parameters:
    ///   - device: what is known of it now; `nil` where nothing is any more.
    ///   - listeners: the rules that hear it; `nil` for all.
    public mutating func hear(
        _ change: DeviceChange, of device: KnownDevice?, at now: Moment,
        by listeners: Set<RuleID>? = nil
    ) -> [RuleStep] {
        guard let device else {
            if case .removed = change.content { forget(change.device) }
            return []
        }
        let rules = self.rules.filter { listeners?.contains($0.id) ?? true }
        switch change.content {
        case .event(let report): return hear(report, of: device, at: now, by: rules)
        case .presence(let presence):
            if presence.status == .offline { doubtReadings(of: device.id) }
            return hear(presence, of: device, at: now, by: rules)
        case .state(let report):
            return hear(report.members, from: report.at, of: device, at: now, by: rules)
        case .telemetry(let report):
            return hear(report.values, from: report.at, of: device, at: now, by: rules)
        case .doubt:
            doubtReadings(of: device.id)
            return []
        case .removed:
            forget(change.device)
            return []
        case .description, .channel, .label, .evidence, .problem: return []
        }
    }

    private mutating func hear(
        _ event: EventReport, of device: KnownDevice, at now: Moment, by rules: [Rule]
    ) -> [RuleStep] {
        var steps: [RuleStep] = []
        for rule in rules where rule.plan.trigger == .event(event.name) {
            guard rule.plan.scope.contains(device), rule.plan.allows(event.at, at: now) else {
                continue
            }
            let key = RuleWatchKey(rule: rule.id, device: device.id)
            let reason = RuleReason.event(
                event.name.text, code: event.detail["code"]?.string, device: device.calling)
            let occasion = Occasion(
                cause: "\(reason)",
                text: event.id.map { "event:\($0)" }
                    ?? "at:\((event.at ?? now.wall).milliseconds)",
                chain: chains.chain(behind: device.id, at: now.elapsed))
            if let step = run(rule, key, for: [device], occasion, at: now) { steps.append(step) }
        }
        return steps
    }

    private mutating func hear(
        _ presence: Presence, of device: KnownDevice, at now: Moment, by rules: [Rule]
    ) -> [RuleStep] {
        var steps: [RuleStep] = []
        for rule in rules {
            guard case .presence(let wanted) = rule.plan.trigger else { continue }
            let isMet = presence.status == wanted
            let key = RuleWatchKey(rule: rule.id, device: device.id)
            // What was so before anybody listened did not happen now.
            if rule.plan.scope.contains(device), lasting[key] == nil {
                lasting[key] = isMet ? .spent : .released
                steps.append(.remember(key, watch(key)))
                continue
            }
            let reading = Reading(
                isMet: isMet, isOver: !isMet, mayBegin: true,
                reason: .presence(presence.status, device: device.calling))
            steps += take(reading, of: device, by: rule, at: now)
        }
        return steps
    }

    private mutating func hear(
        _ values: JSONObject, from moment: Timestamp?, of device: KnownDevice, at now: Moment,
        by rules: [Rule]
    ) -> [RuleStep] {
        var steps: [RuleStep] = []
        for rule in rules {
            guard case .comparison(let condition) = rule.plan.trigger,
                let value = values.value(at: condition.member)
            else { continue }
            let isMet = condition.isMet(by: value)
            let text = value.string ?? String(decoding: JSONWriter.write(value), as: UTF8.self)
            let reading = Reading(
                isMet: isMet,
                isOver: !isMet && condition.isMissed(by: value, atLeastBy: rule.plan.margin),
                mayBegin: rule.plan.allows(moment, at: now),
                reason: .value(text, member: condition.member, device: device.calling))
            steps += take(reading, of: device, by: rule, at: now)
        }
        return steps
    }

    // MARK: Triggers that last

    /// What a message says of a trigger that lasts.
    private struct Reading {
        /// Whether the device meets it.
        let isMet: Bool
        /// Whether the device has come back so far that the next time is another occasion.
        let isOver: Bool
        /// Whether the message is new enough to begin something.
        let mayBegin: Bool
        /// What it says.
        let reason: RuleReason
    }

    private mutating func take(
        _ reading: Reading, of device: KnownDevice, by rule: Rule, at now: Moment
    ) -> [RuleStep] {
        let key = RuleWatchKey(rule: rule.id, device: device.id)
        guard rule.plan.scope.contains(device) else {
            let former = lasting.removeValue(forKey: key)
            return former == nil || former == .released ? [] : [.remember(key, watch(key))]
        }
        switch lasting[key] ?? .released {
        case .released:
            guard reading.isMet, reading.mayBegin else { return [] }
            let hold = Hold(
                since: now, chain: chains.chain(behind: device.id, at: now.elapsed),
                reading: reading.reason)
            return wait(hold, rule, key, device, at: now) ?? [.remember(key, watch(key))]
        case .holding(var hold):
            guard !reading.isOver else { return release(key) }
            hold.reading = reading.reason
            return wait(hold, rule, key, device, at: now) ?? []
        case .spent: return reading.isOver ? release(key) : []
        }
    }

    private mutating func release(_ key: RuleWatchKey) -> [RuleStep] {
        lasting[key] = .released
        return [.remember(key, watch(key))]
    }

    /// Waits until a device has met a trigger for long enough.
    /// - Returns: what is to be done where it has; `nil` where it is waited for.
    mutating func wait(
        _ hold: Hold, _ rule: Rule, _ key: RuleWatchKey, _ device: KnownDevice, at now: Moment
    ) -> [RuleStep]? {
        let end = hold.since.elapsed + rule.plan.hold
        guard let reading = hold.reading, end <= now.elapsed else {
            lasting[key] = .holding(hold)
            if hold.reading != nil { nextEnd = min(nextEnd ?? end, end) }
            return nil
        }
        lasting[key] = .spent
        let limit = rule.plan.hold == .zero ? "" : " for \(rule.plan.hold.text)"
        let occasion = Occasion(
            cause: "\(reading): \(rule.plan.trigger)\(limit)",
            text: "since:\(hold.since.wall.milliseconds)", chain: hold.chain)
        return [
            run(rule, key, for: [device], occasion, at: now) ?? .remember(key, watch(key))
        ]
    }

    /// Whether a device still meets what it met is not known until it reports again.
    private mutating func doubtReadings(of device: DeviceID) {
        for rule in rules where rule.plan.trigger.lasts {
            let key = RuleWatchKey(rule: rule.id, device: device)
            guard case .holding(var hold)? = lasting[key] else { continue }
            hold.reading = nil
            lasting[key] = .holding(hold)
        }
    }

    private mutating func forget(_ device: DeviceID) {
        for rule in rules {
            let key = RuleWatchKey(rule: rule.id, device: device)
            lasting[key] = nil
            lastRuns[key] = nil
        }
    }
}

extension RulePlan {
    /// Whether a message is not too old; one without a time is as old as its receipt.
    fileprivate func allows(_ moment: Timestamp?, at now: Moment) -> Bool {
        moment.map { now.wall.since($0) <= maxAge } ?? true
    }
}

extension DeviceCondition {
    /// Whether a value that does not meet it is so far away from that.
    fileprivate func isMissed(by reported: JSONValue, atLeastBy margin: Double) -> Bool {
        guard margin > 0, let limit = value.number, let number = reported.number else {
            return true
        }
        return (number - limit).magnitude >= margin
    }
}

extension KnownDevice {
    /// As people call it, with its id where that differs.
    var calling: String { name == id.text ? name : "\(name) (\(id))" }
}
