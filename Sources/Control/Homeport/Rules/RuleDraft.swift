public import Automation
public import DeviceDomain
public import HomeModel

/// A rule as somebody types it: devices by their ids or names, arguments as texts.
public struct RuleDraft: Sendable {
    /// What is to be done.
    public enum Action: Sendable {
        /// A command is sent.
        case send(CommandName, TypedArguments)
        /// The user is told.
        case notify
    }

    /// Which devices the rule is about.
    public enum Scope: Sendable {
        /// All of them.
        case everyDevice
        /// One, by its id or name.
        case device(String)
        /// Those of a kind.
        case kind(DeviceKind)
        /// Those in a room.
        case room(GivenName)
    }

    /// What the user calls it.
    public var name: GivenName
    /// What lets it run.
    public var trigger: RuleTrigger
    /// For how long that must hold.
    public var hold = Duration.zero
    /// How far a number must come back before the next time is another occasion.
    public var margin = 0.0
    /// The devices that it is about.
    public var scope = Scope.everyDevice
    /// What the device must have reported last.
    public var conditions: [DeviceCondition] = []
    /// What it does, in order.
    public var actions: [Action]
    /// The device that gets the commands, by its id or name; `nil` for those that the rule is about.
    public var receiver: String?
    /// Of a device it runs at most once in this time.
    public var oncePer: Duration?
    /// How old a message may be at most.
    public var maxAge = RulePlan.usualMaxAge

    public init(name: GivenName, trigger: RuleTrigger, actions: [Action]) {
        self.name = name
        self.trigger = trigger
        self.actions = actions
    }
}
