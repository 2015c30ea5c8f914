public import Automation
public import DeviceDomain
public import HomeModel
public import SharedPresentation

/// What lets a rule run, as a user chooses it.
public enum RuleOccasion: String, Hashable, Sendable, CaseIterable {
    case event, offline, online, value, time, sunrise, sunset

    /// Whether it happens at a device.
    public var isOfDevice: Bool {
        switch self {
        case .event, .offline, .online, .value: true
        case .time, .sunrise, .sunset: false
        }
    }

    /// Whether it may last.
    public var lasts: Bool {
        switch self {
        case .offline, .online, .value: true
        case .event, .time, .sunrise, .sunset: false
        }
    }
}

/// What a rule does, as a user chooses it.
public enum RuleDeed: Hashable, Sendable {
    /// It tells the user.
    case notify
    /// It sends a command to a device.
    case send(CommandName, to: DeviceID)
    /// It sends a command to the device of a kind that let it run, or to all devices of the kind at a time of day.
    case sendToEach(CommandName, of: DeviceKind)

    /// The command; `nil` for none.
    public var command: CommandName? {
        switch self {
        case .notify: nil
        case .send(let name, _), .sendToEach(let name, _): name
        }
    }

    /// Whether the command goes to the devices that the rule is about.
    var isForDevicesOfRule: Bool {
        if case .sendToEach = self { true } else { false }
    }
}

/// A rule that the user is making: every field holds what was entered.
public struct RuleDraftForm: Hashable, Sendable {
    /// What lets it run.
    public let occasion: RuleOccasion
    /// What it does.
    public let deed: RuleDeed
    /// The arguments of its command; `nil` where it sends none.
    public var form: CommandForm?
    /// The rooms of the command's receiver; `nil` where it has described none.
    public let rooms: RoomPlan?
    /// What it is to be called.
    public var name = ""
    /// The event, by its name on the wire.
    public var event = EventName.stuck.text
    /// The member of the state or the telemetry that is compared.
    public var member = ""
    /// How it is compared; `nil` where what was chosen is no relation.
    public var relation: DeviceCondition.Relation? = .less
    /// What it is compared with.
    public var value = ""
    /// For how many minutes it must last; empty for none.
    public var minutes = ""
    /// The time of day, such as `08:30`.
    public var time = ""
    /// The devices that it is about; `nil` where what was chosen means none.
    public var scope: RuleScope?
    /// What such a device must have reported, such as `activity=cleaning`; empty for nothing.
    public var condition = ""
    /// How many minutes pass at least between two runs for a device; empty for none.
    public var rest = ""
    /// Whether the user is told as well.
    public var tells = false
    /// What is wrong with it; `nil` for nothing, or for what the arguments themselves say.
    public internal(set) var problem: Problem?

    /// What is wrong with a draft.
    public enum Problem: Hashable, Sendable {
        /// The name is none; the sentence says why.
        case name(String)
        /// The event is none.
        case event
        /// The relation is none.
        case relation
        /// The devices that it is about are none.
        case scope
        /// The comparison is none; the sentence says why.
        case value(String)
        /// The time of day is none.
        case time
        /// For how long it must last is no number of minutes.
        case minutes
        /// The time between two runs is no number of minutes.
        case rest
        /// What the device must have reported is no condition; the sentence says why.
        case condition(String)
        /// Its parts do not fit each other; the sentence says why.
        case parts(String)
        /// It was not taken.
        case refused(Failure)
    }

    /// Why a draft cannot be kept; without a problem of its own where the arguments say it.
    struct Mistake: Error {
        let problem: Problem?
    }

    /// The most minutes: a year.
    static let mostMinutes = 366 * 1_440

    init(
        _ occasion: RuleOccasion, _ deed: RuleDeed, _ form: CommandForm? = nil,
        rooms: RoomPlan? = nil
    ) {
        self.occasion = occasion
        self.deed = deed
        self.form = form
        self.rooms = rooms
        scope = if case .sendToEach(_, let kind) = deed { .kind(kind) } else { .everyDevice }
    }

    /// Whether it has to be said which devices it is about.
    public var hasScope: Bool { occasion.isOfDevice || deed.isForDevicesOfRule }

    /// The rule as it was entered.
    mutating func plan() throws(Mistake) -> RulePlan {
        let trigger = try trigger()
        guard let scope = hasScope ? scope : RuleScope.everyDevice else {
            throw Mistake(problem: .scope)
        }
        let hold = try Self.duration(minutes, orThrow: .minutes)
        let oncePer = try Self.duration(rest, orThrow: .rest)
        let conditions = try conditions()
        let actions = try actions()
        let given: GivenName
        do { given = try GivenName(name) } catch {
            throw Mistake(problem: .name(error.description))
        }
        do {
            return try RulePlan(
                name: given, trigger: trigger, hold: occasion.lasts ? hold ?? .zero : .zero,
                scope: scope, conditions: conditions, actions: actions, oncePer: oncePer)
        } catch {
            throw Mistake(problem: .parts(error.description))
        }
    }

    private func trigger() throws(Mistake) -> RuleTrigger {
        switch occasion {
        case .event:
            guard let name = EventName(rawValue: event) else { throw Mistake(problem: .event) }
            return .event(name)
        case .offline: return .presence(.offline)
        case .online: return .presence(.online)
        case .value:
            guard let relation else { throw Mistake(problem: .relation) }
            do {
                return .comparison(
                    try DeviceCondition(reading: "\(member)\(relation.rawValue)\(value)"))
            } catch {
                throw Mistake(problem: .value(error.description))
            }
        case .time:
            guard let time = TimeOfDay(time) else { throw Mistake(problem: .time) }
            return .time(time)
        case .sunrise: return .sun(.sunrise)
        case .sunset: return .sun(.sunset)
        }
    }

    private func conditions() throws(Mistake) -> [DeviceCondition] {
        guard hasScope, condition.contains(where: { $0 != " " }) else { return [] }
        do { return [try DeviceCondition(reading: condition)] } catch {
            throw Mistake(problem: .condition(error.description))
        }
    }

    private mutating func actions() throws(Mistake) -> [RuleAction] {
        guard let name = deed.command else { return [.notify] }
        guard let arguments = form?.arguments() else { throw Mistake(problem: nil) }
        var receiver: DeviceID?
        if case .send(_, let device) = deed { receiver = device }
        let command = RuleAction.send(RuleCommand(name, arguments, to: receiver))
        return tells ? [command, .notify] : [command]
    }

    private static func duration(
        _ text: String, orThrow problem: Problem
    ) throws(Mistake) -> Duration? {
        guard !text.isEmpty else { return nil }
        guard let minutes = Int(text), (0...mostMinutes).contains(minutes) else {
            throw Mistake(problem: problem)
        }
        return minutes == 0 ? nil : .seconds(60 * minutes)
    }
}
