public import DeviceDomain

/// One run of a rule: why it takes place, and for which devices.
public struct RuleRun: Hashable, Sendable {
    /// The rule.
    public let rule: RuleID
    /// The device that let it run; `nil` for a time.
    public let device: DeviceID?
    /// When it was let run (wire clock).
    public let at: Timestamp
    /// Why, for people.
    public let cause: String
    /// What tells the occasion from every other one of this rule and device: two servers that see the same one agree
    /// on it.
    public let occasion: String
    /// The devices that get the commands that name none.
    public let targets: [DeviceID]
    /// The rules whose commands have led to it, the first one first, and this rule as the last one.
    public let chain: [RuleID]

    public init(
        rule: RuleID, device: DeviceID?, at: Timestamp, cause: String, occasion: String,
        targets: [DeviceID], chain: [RuleID]
    ) {
        self.rule = rule
        self.device = device
        self.at = at
        self.cause = cause
        self.occasion = occasion
        self.targets = targets
        self.chain = chain
    }

    /// The commands of a run that are to be sent, each with its receiver, in order.
    public func commands(of plan: RulePlan) -> [RuleCommand] {
        plan.actions.flatMap { action -> [RuleCommand] in
            guard case .send(let command) = action else { return [] }
            guard command.receiver == nil else { return [command] }
            return targets.map { RuleCommand(command.name, command.arguments, to: $0) }
        }
    }
}

/// What is remembered of a rule and a device, also over a restart.
public struct RuleWatch: Hashable, Sendable {
    /// What holds of the device.
    public enum Phase: Hashable, Sendable {
        /// It does not meet the trigger.
        case released
        /// It meets the trigger since then (wire clock), and the rule has not run.
        case holding(since: Timestamp)
        /// It meets the trigger, and the rule has run for that, or did not have to.
        case spent
    }

    /// What holds of the device.
    public var phase: Phase
    /// When the rule last ran for it (wire clock); `nil` for never.
    public var lastRun: Timestamp?

    public init(phase: Phase = .released, lastRun: Timestamp? = nil) {
        self.phase = phase
        self.lastRun = lastRun
    }
}

/// A rule and a device.
public struct RuleWatchKey: Hashable, Sendable {
    /// The rule.
    public let rule: RuleID
    /// The device; `nil` for a rule of a time.
    public let device: DeviceID?

    public init(rule: RuleID, device: DeviceID?) {
        self.rule = rule
        self.device = device
    }
}
