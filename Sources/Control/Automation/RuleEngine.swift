public import DeviceControl
public import DeviceDomain
internal import HomeModel

/// Which rules run, as a value: what is heard of devices and the time go in, runs come out.
///
/// It has no clock and no ledger. Its owner stores what it says is to be remembered before it does anything else, so
/// that a restart in the middle of a time that is to pass makes no difference.
public struct RuleEngine: Sendable {
    /// A trigger that lasts, as it stands at a device.
    enum Lasting: Hashable, Sendable {
        /// The device does not meet it.
        case released
        /// The device meets it, and the rule has not run.
        case holding(Hold)
        /// The device meets it, and the rule has run for that, or did not have to.
        case spent
    }

    /// A device meets a trigger.
    struct Hold: Hashable, Sendable {
        /// Since when.
        let since: Moment
        /// The rules whose commands have led to it.
        let chain: [RuleID]
        /// What the device reported; `nil` where it has reported nothing since this began to listen, or
        /// can no longer be reached: whether it still holds is not known then.
        var reading: RuleReason?
    }

    let calendar: LocalCalendar
    let place: GeographicPlace?
    /// The rules that run, in the order of their ids.
    private(set) var rules: [Rule] = []
    /// What is known of triggers that last; nothing of devices that were never seen.
    var lasting: [RuleWatchKey: Lasting] = [:]
    var lastRuns: [RuleWatchKey: Timestamp] = [:]
    /// When each rule of a time is due next.
    var due: [RuleID: Timestamp] = [:]
    var chains = RuleChains()
    /// No hold is over before then (monotonic clock); `nil` where none is waited for.
    var nextEnd: Duration?

    /// - Parameters:
    ///   - watches: what was remembered.
    ///   - place: where the home is; `nil` where nobody knows, and then no rule of the sun runs.
    public init(
        _ rules: [Rule], remembering watches: [RuleWatchKey: RuleWatch] = [:],
        in calendar: LocalCalendar, at place: GeographicPlace? = nil, from now: Moment
    ) {
        self.calendar = calendar
        self.place = place
        learn(rules, at: now)
        for (key, watch) in watches where self.rules.contains(where: { $0.id == key.rule }) {
            lasting[key] = Lasting(watch.phase, at: now)
            lastRuns[key] = watch.lastRun
        }
    }

    /// Takes in the rules as the ledger has them now.
    /// - Returns: those that are new or were resumed: they have to hear what is known already.
    @discardableResult
    public mutating func learn(_ all: [Rule], at now: Moment) -> Set<RuleID> {
        let former = Dictionary(rules.map { ($0.id, $0.since) }) { $1 }
        rules = all.filter { $0.pause == nil }.sorted { $0.id < $1.id }
        let present = Dictionary(rules.map { ($0.id, $0.since) }) { $1 }
        for (id, since) in former where present[id] != since { forget(id) }
        let new = rules.filter { former[$0.id] != $0.since }
        for rule in new {
            let earliest = now.wall.advanced(by: .zero - rule.plan.maxAge)
            due[rule.id] = nextTime(of: rule, after: max(rule.since, earliest))
        }
        chains.forget(before: now.elapsed)
        return Set(new.map(\.id))
    }

    /// Rules do not run any more.
    mutating func stop(_ ids: [RuleID]) {
        rules.removeAll { ids.contains($0.id) }
        for id in ids { forget(id) }
    }

    private mutating func forget(_ rule: RuleID) {
        lasting = lasting.filter { $0.key.rule != rule }
        lastRuns = lastRuns.filter { $0.key.rule != rule }
        due[rule] = nil
    }

    /// Takes in that a run is about to send a command to a device.
    public mutating func note(_ run: RuleRun, to device: DeviceID, at now: Moment) {
        chains.note(run.chain, to: device, at: now.elapsed)
    }

    /// The moment of the monotonic clock before which there is nothing to look for; `nil` where nothing is waited for.
    public func nextLook(after now: Moment) -> Duration? {
        let times = due.values.min().map { now.elapsed(at: $0) }
        return [times, nextEnd].compactMap(\.self).min()
    }

    /// What is to be remembered of a rule and a device.
    func watch(_ key: RuleWatchKey) -> RuleWatch {
        RuleWatch(phase: lasting[key]?.phase ?? .released, lastRun: lastRuns[key])
    }
}

/// What the owner of a ``RuleEngine`` is to do, in order.
public enum RuleStep: Hashable, Sendable {
    /// Let a rule run, if nobody else has for this occasion; what is to be remembered belongs into the same transaction.
    case run(RuleRun, RuleWatchKey, RuleWatch)
    /// Remember this.
    case remember(RuleWatchKey, RuleWatch)
    /// Pause rules that trigger each other; the first one was about to run again, for this reason.
    case stop([RuleID], cause: String)
}

extension [RuleStep] {
    /// The runs among the steps.
    package var runs: [RuleRun] {
        compactMap { if case .run(let run, _, _) = $0 { run } else { nil } }
    }
}

extension RuleEngine.Lasting {
    init(_ phase: RuleWatch.Phase, at now: Moment) {
        self =
            switch phase {
            case .released: .released
            case .holding(let since):
                .holding(
                    RuleEngine.Hold(
                        since: Moment(wall: since, elapsed: now.elapsed(at: since)), chain: []))
            case .spent: .spent
            }
    }

    var phase: RuleWatch.Phase {
        switch self {
        case .released: .released
        case .holding(let hold): .holding(since: hold.since.wall)
        case .spent: .spent
        }
    }
}
