import Homeport

/// Which commands of a device Home Assistant's commands for a vacuum mean. A device is announced as a
/// vacuum if it takes a command that starts it and one that stops it, whatever its kind.
struct VacuumCommands: Hashable, Sendable {
    /// Starts the device, with the arguments that the bridge keeps.
    let start: CommandName
    /// The arguments that it needs.
    let drafts: [Draft]
    /// Continues what is paused.
    let resume: CommandName?
    /// Pauses it.
    let pause: CommandName?
    /// Stops it.
    let stop: CommandName
    /// Sends it home.
    let returning: CommandName?
    /// Makes it show where it is.
    let locate: CommandName?
    /// Sets its power.
    let fan: Fan?

    /// A setting that takes one of several levels.
    struct Fan: Hashable, Sendable {
        let command: CommandName
        let argument: String
        /// The levels in the order of the description.
        let levels: [String]
        /// The member of the state that says the level; `nil` where none does.
        let member: String?
    }

    private static let starts: [CommandName] = [.startCleaning, .startProgram]
    private static let returns: [CommandName] = [.returnToDock, .surface]
    private static let fans: [CommandName] = [.setSuctionLevel, .setPowerLevel]

    /// The commands of a device; `nil` if it is none that can be announced as a vacuum.
    init?(_ profile: DeviceProfile, _ seen: SeenMembers) {
        func known(_ names: [CommandName]) -> CommandName? {
            names.first { profile.specification(of: $0) != nil }
        }
        guard let start = known(Self.starts), let stop = known([.stop]),
            let specification = profile.specification(of: start),
            let drafts = specification.drafts
        else { return nil }
        self.start = start
        self.stop = stop
        self.drafts = drafts
        resume = known([.resume])
        pause = known([.pause])
        returning = known(Self.returns)
        locate = known([.locate])
        fan = known(Self.fans).flatMap(profile.specification).flatMap { Fan($0, seen) }
    }

    /// The commands that need no button of their own.
    var covered: Set<CommandName> {
        Set([stop, pause, resume, returning, locate, fan?.command].compactMap(\.self))
            .union(drafts.isEmpty ? [start] : [])
    }

    /// What Home Assistant may offer.
    var features: [String] {
        ["start", "stop", "send_command"] + (pause == nil ? [] : ["pause"])
            + (returning == nil ? [] : ["return_home"]) + (locate == nil ? [] : ["locate"])
            + (fan == nil ? [] : ["fan_speed"])
    }
}

extension VacuumCommands.Fan {
    fileprivate init?(_ specification: CommandSpecification, _ seen: SeenMembers) {
        guard let (argument, schema) = specification.onlyArgument, let choices = schema.choices
        else { return nil }
        let source = SettingSource(specification, argument, seen)
        self.init(
            command: specification.name, argument: argument, levels: choices,
            member: source?.member)
    }
}

/// What a robot does, in the words of Home Assistant.
enum VacuumState {
    /// The state for an activity of the device; `nil` where Home Assistant has no word for it.
    static func of(_ activity: String?) -> String? {
        switch activity {
        case "cleaning", "docked", "paused", "idle", "returning", "error": activity
        case "surfacing": "returning"
        case "moving": "cleaning"
        default: nil
        }
    }
}
