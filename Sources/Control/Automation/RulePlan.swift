public import DeviceDomain
public import HomeModel

/// What a user says is to be done when something happens.
public struct RulePlan: Hashable, Sendable {
    /// How old a message may be that lets a rule run, where nothing else is said.
    public static let usualMaxAge = Duration.seconds(300)
    /// The longest time that may be given.
    public static let longestTime = Duration.seconds(366 * 86_400)

    /// What the user calls it; no other rule of the home has the name, and it is not a number.
    public let name: GivenName
    /// What lets it run.
    public let trigger: RuleTrigger
    /// For how long a comparison or a presence must hold before it runs; zero for not at all.
    public let hold: Duration
    /// How far a number must come back before a comparison counts as over, so that one that wavers about the limit
    /// is one occasion; zero for not at all.
    public let margin: Double
    /// The devices that it is about.
    public let scope: RuleScope
    /// What the device must have reported last; all of it.
    public let conditions: [DeviceCondition]
    /// What it does, in order.
    public let actions: [RuleAction]
    /// Of a device it runs at most once in this time; `nil` for as often as it is triggered.
    public let oncePer: Duration?
    /// How old a message may be at most, by the clock of who wrote it, and how late a time may be.
    public let maxAge: Duration

    /// A plan whose parts fit each other.
    /// - Throws: ``InvalidRule`` where they do not.
    public init(
        name: GivenName, trigger: RuleTrigger, hold: Duration = .zero, margin: Double = 0,
        scope: RuleScope = .everyDevice, conditions: [DeviceCondition] = [],
        actions: [RuleAction], oncePer: Duration? = nil, maxAge: Duration = usualMaxAge
    ) throws(InvalidRule) {
        self.name = name
        self.trigger = trigger
        self.hold = hold
        self.margin = margin
        self.scope = scope
        self.conditions = conditions
        self.actions = actions
        self.oncePer = oncePer
        self.maxAge = maxAge
        try validate()
    }

    /// Whether it names a device, as the one that it is about or as the receiver of a command.
    public func names(_ device: DeviceID) -> Bool {
        scope == .device(device)
            || actions.contains { action in
                if case .send(let command) = action { command.receiver == device } else { false }
            }
    }

    private func validate() throws(InvalidRule) {
        guard RuleID(name.text) == nil else {
            throw InvalidRule(
                "the name \(name) is a number, by which rules are called too; add a word")
        }
        guard !actions.isEmpty else {
            throw InvalidRule("the rule does nothing; name an action, such as notify")
        }
        for time in [hold, oncePer ?? .zero, maxAge] where time > Self.longestTime || time < .zero {
            throw InvalidRule("\(time.text) is too long; 8784h, which is 366 days, is the most")
        }
        guard hold == .zero || trigger.lasts else {
            throw InvalidRule(
                "\(trigger) is over at once, so it cannot last \(hold.text); a time is for a comparison or a "
                    + "presence")
        }
        guard margin == 0 || trigger.comparesNumbers else {
            throw InvalidRule("a margin is for a comparison of numbers with < <= >= or >")
        }
        guard trigger.isOfDevice || scope != .everyDevice else {
            let needsDevices = !conditions.isEmpty || actions.contains(where: \.isForDevicesOfRule)
            guard needsDevices else { return }
            throw InvalidRule("\(trigger) is no device's; name the devices: one, a kind or a room")
        }
    }
}

/// The devices that a rule is about.
public enum RuleScope: Hashable, Sendable {
    /// All of them.
    case everyDevice
    /// One.
    case device(DeviceID)
    /// Those of a kind.
    case kind(DeviceKind)
    /// Those in a room of the user's.
    case room(GivenName)

    /// Whether a device belongs to it, by what is known of it.
    public func contains(_ device: KnownDevice) -> Bool {
        switch self {
        case .everyDevice: true
        case .device(let id): device.id == id
        case .kind(let kind): device.profile?.kind == kind
        case .room(let room): device.label.room?.isSame(as: room) == true
        }
    }
}

/// Parts of a rule do not fit each other, or a text is none; the message says what to write.
public struct InvalidRule: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
