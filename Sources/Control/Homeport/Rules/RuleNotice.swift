public import Automation
public import DeviceDomain

/// What is said of rules while they run.
public enum RuleNotice: Sendable {
    /// A run has ended; what came of it is in it.
    case ran(RecordedRun)
    /// Rules trigger each other and are paused; the first one was about to run again, for this reason.
    case stopped([Rule], cause: String)
    /// So many messages and runs came faster than they could be taken in, and are left out.
    case overrun(lost: Int)
    /// Something failed.
    case failed(HomeError)
}

extension RuleNotice: CustomStringConvertible {
    public var description: String {
        switch self {
        case .ran(let run):
            return "rule \(run.run.rule), \(run.name): \(run.run.cause); \(run.outcome ?? "")"
        case .stopped(let rules, let cause):
            return
                "\(Self.stopReason(rules)) (\(cause)); 'homeport rule resume' lets each run again"
        case .overrun(let lost):
            return
                "\(lost) messages or runs of rules came faster than they could be taken in, and are left out"
        case .failed(let error): return "the rules: \(error)"
        }
    }

    /// Why rules are paused that trigger each other.
    static func stopReason(_ rules: [Rule]) -> String {
        let names = rules.map { "\($0.id) (\($0.plan.name))" }
        let list = names.joined(separator: ", ")
        let reason: RuleReason =
            names.count > 1 ? .triggerEachOther(list) : .triggersItself(list)
        return "\(reason)"
    }
}

/// What a rule tells the user.
public struct RuleNotification: Hashable, Sendable {
    /// The home.
    public let home: HomeID
    /// The rule.
    public let rule: RuleID
    /// What the user calls the rule.
    public let name: GivenName
    /// The device that let it run; `nil` for none.
    public let device: DeviceID?
    /// When it was let run (wire clock).
    public let at: Timestamp
    /// What happened, for people.
    public let text: String

    public init(
        home: HomeID, rule: RuleID, name: GivenName, device: DeviceID?, at: Timestamp, text: String
    ) {
        self.home = home
        self.rule = rule
        self.name = name
        self.device = device
        self.at = at
        self.text = text
    }
}
