import Homeport

/// Two settings without arguments that set one member of the state to two values, as `turn-on` and
/// `turn-off`: a switch, light, lock or cover of Home Assistant.
struct CommandPair: Hashable, Sendable {
    /// One of the two settings.
    struct Side: Hashable, Sendable {
        let command: CommandName
        /// The value of the member when it has been carried out.
        let value: JSONValue
    }

    /// A number that belongs to the entity: a brightness or a position.
    struct Slider: Hashable, Sendable {
        /// Its name in Home Assistant's descriptions.
        let role: String
        let command: CommandName
        let argument: String
        let schema: ArgumentSchema
        /// The member of the state that reports it.
        let member: String

        /// The end of the topics and states that belong to it.
        func key(of entity: String) -> String { "\(entity)__\(role)" }
    }

    /// What kind of entity it is.
    let component: EntityComponent
    /// The member of the state.
    let member: String
    /// The part of the device, as `l1`; empty for the device itself.
    let part: String
    /// Switches on, locks or opens.
    let on: Side
    /// Switches off, unlocks or closes.
    let off: Side
    /// Stops a cover.
    let stop: CommandName?
    /// The numbers that belong to it.
    let sliders: [Slider]

    /// The commands that need no entity of their own.
    var covered: Set<CommandName> {
        Set([on.command, off.command] + sliders.map(\.command)).union(stop.map { [$0] } ?? [])
    }

    /// The members of the state that it shows.
    var members: Set<String> { Set([member] + sliders.map(\.member)) }
}

extension CommandPair {
    /// The names of two settings that belong together, with the entity that they are.
    private static let verbs: [(on: String, off: String, EntityComponent)] = [
        ("turn-on", "turn-off", .switch), ("lock", "unlock", .lock), ("open", "close", .cover),
    ]

    /// The numbers of an entity by the members that report them.
    private static let roles: [EntityComponent: [(member: String, role: String)]] = [
        .light: [("brightness", "brightness"), ("color_temp", "color_temp")],
        .cover: [("position", "position")],
    ]

    /// The pairs of a device. What switches a light is a light, else a switch.
    static func all(of profile: DeviceProfile) -> [CommandPair] {
        verbs.flatMap { on, off, component in
            profile.commands.compactMap { command in
                guard let ending = command.name.rawValue.ending(behind: on) else { return nil }
                let isLight = component == .switch && profile.kind.rawValue == "light"
                return CommandPair(
                    profile, command, off: CommandName(rawValue: off + ending), ending,
                    isLight ? .light : component)
            }
        }
    }

    private init?(
        _ profile: DeviceProfile, _ on: CommandSpecification, off: CommandName, _ ending: String,
        _ component: EntityComponent
    ) {
        guard let target = on.fixedTarget, let onValue = target.value,
            let opposite = profile.specification(of: off)?.fixedTarget,
            opposite.member == target.member, let offValue = opposite.value, onValue != offValue
        else { return nil }
        let stop = CommandName(rawValue: "stop" + ending)
        self.component = component
        member = target.member
        part = String(ending.dropFirst())
        self.on = Side(command: on.name, value: onValue)
        self.off = Side(command: off, value: offValue)
        self.stop = component == .cover && profile.specification(of: stop) != nil ? stop : nil
        let memberEnding = ending.isEmpty ? "" : "_" + part
        sliders = (Self.roles[component] ?? []).compactMap { name, role in
            Slider(profile, reportedBy: [name + memberEnding, name + ending], as: role)
        }
    }
}

extension CommandPair.Slider {
    fileprivate init?(_ profile: DeviceProfile, reportedBy members: [String], as role: String) {
        for command in profile.commands where command.sort == .setting {
            guard let member = command.sets?.member, members.contains(member),
                let (argument, schema) = command.onlyArgument, schema.isRange
            else { continue }
            self.init(
                role: role, command: command.name, argument: argument, schema: schema,
                member: member)
            return
        }
        return nil
    }
}

extension CommandSpecification {
    /// What a setting without arguments always sets.
    fileprivate var fixedTarget: StateTarget? {
        guard sort == .setting, arguments?.properties.isEmpty == true, sets?.value != nil else {
            return nil
        }
        return sets
    }
}

extension String {
    /// What follows a word: nothing, or a hyphen and more; `nil` for another word.
    fileprivate func ending(behind word: String) -> String? {
        guard hasPrefix(word) else { return nil }
        let ending = String(dropFirst(word.count))
        return ending.isEmpty || ending.hasPrefix("-") ? ending : nil
    }
}
