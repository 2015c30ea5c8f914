import Homeport

/// The entities of a device, from its description and the members that it has reported: capabilities
/// and argument schemas decide, never the kind.
struct DeviceEntities: Hashable, Sendable {
    /// The entities, without two of the same component and key.
    private(set) var all: [Entity] = []
    /// Members whose value another entity shows, or that are of the protocol itself.
    private var shown: Set<String> = ["desiredRevision"]

    /// The most entities of a device.
    static let limit = 128

    /// Commands of the protocol itself, which are not for people.
    private static let hidden: Set<CommandName> = [.queryCommands, .cancelCommand, .commitClaim]

    /// Maps a device.
    init(_ profile: DeviceProfile, _ seen: SeenMembers) {
        let vacuum = VacuumCommands(profile, seen)
        if let vacuum { add(vacuum) }
        // The charge that zigbee2mqtt calls battery is there under the name of the protocol, too.
        if seen.forms["battery"] == .number, seen.forms[.batteryPercent] != nil {
            shown.insert("battery")
        }
        var covered = vacuum?.covered ?? []
        for pair in CommandPair.all(of: profile) {
            add(pair)
            covered.formUnion(pair.covered)
        }
        for command in profile.commands where !Self.hidden.contains(command.name) {
            addRooms(of: command)
            guard !covered.contains(command.name) else { continue }
            switch command.sort {
            case .setting: addSetting(command, seen)
            case .action, .instant: addAction(command)
            }
        }
        for (member, form) in seen.forms.sorted(by: { $0.key < $1.key })
        where !shown.contains(member) { addSignal(member, form) }
    }

    /// The entity of a component and key.
    func entity(_ component: EntityComponent, _ key: String) -> Entity? {
        all.first { $0.component == component && $0.key == key }
    }

    /// The entity whose commands come on a topic with a component and key.
    func entity(taking key: String, as component: EntityComponent) -> Entity? {
        all.first { $0.component == component && $0.takes(key) }
    }

    private mutating func add(_ entity: Entity) {
        guard all.count < Self.limit, self.entity(entity.component, entity.key) == nil else {
            return
        }
        all.append(entity)
    }

    // MARK: Commands

    private mutating func add(_ vacuum: VacuumCommands) {
        var members: JSONObject = [
            "supported_features": .array(vacuum.features.map(JSONValue.string))
        ]
        if let fan = vacuum.fan {
            members["fan_speed_list"] = .array(fan.levels.map(JSONValue.string))
            if let member = fan.member { shown.insert(member) }
        }
        add(
            Entity(
                component: .vacuum, key: "vacuum", name: nil, members: members,
                reading: .vacuum(fanMember: vacuum.fan?.member), order: .vacuum(vacuum)))
    }

    private mutating func add(_ pair: CommandPair) {
        shown.formUnion(pair.members)
        add(
            Entity(
                component: pair.component, key: TopicWord.escaping(pair.member),
                name: pair.part.isEmpty ? nil : Title.of(pair.part), reading: .pair(pair),
                order: .pair(pair)))
    }

    private mutating func addSetting(_ command: CommandSpecification, _ seen: SeenMembers) {
        guard let (argument, schema) = command.onlyArgument else {
            if command.arguments?.properties.isEmpty == true { addAction(command) }
            return
        }
        guard schema.canBeEntity else { return }
        let source = SettingSource(command, argument, seen)
        if let source { shown.insert(source.member) }
        var members = Self.members(of: schema, named: argument)
        members["entity_category"] = "config"
        let component = Self.component(of: schema)
        add(
            Entity(
                component: component, key: TopicWord.escaping(command.name.rawValue),
                name: command.name.title, members: members,
                reading: Self.reading(source, component, schema),
                order: .setting(command.name, argument: argument, schema)))
    }

    private static func reading(
        _ source: SettingSource?, _ component: EntityComponent, _ schema: ArgumentSchema
    ) -> Entity.Reading {
        guard let source else { return .unreported }
        if let choices = schema.choices { return .choice(source.member, of: choices) }
        return component == .switch
            ? .truth(source.member, isNegated: source.isNegated) : .number(source.member)
    }

    /// A button, and before it the arguments that it needs.
    private mutating func addAction(_ command: CommandSpecification) {
        guard let drafts = command.drafts else { return }
        for draft in drafts { add(draft) }
        let isIdentify = command.name == .identify
        add(
            Entity(
                component: .button, key: TopicWord.escaping(command.name.rawValue),
                name: command.name.title,
                members: isIdentify
                    ? ["device_class": "identify", "entity_category": "config"] : [:],
                order: .run(command.name, [:], drafts)))
    }

    private mutating func add(_ draft: Draft) {
        let name = draft.command.rawValue
        add(
            Entity(
                component: Self.component(of: draft.schema),
                key: TopicWord.escaping(name) + "__" + TopicWord.escaping(draft.argument),
                name: "\(draft.command.title): \(SignalClass.of(draft.argument).title)",
                members: Self.members(of: draft.schema, named: draft.argument),
                reading: .draft(draft), order: .keep(draft)))
    }

    /// A button for each room: Home Assistant 2024.3 has no rooms of a vacuum.
    private mutating func addRooms(of command: CommandSpecification) {
        for (argument, items) in command.itemChoices {
            for item in items {
                let text = item.text ?? ""
                let key = [command.name.rawValue, argument, text].map(TopicWord.escaping)
                add(
                    Entity(
                        component: .button, key: key.joined(separator: "__"),
                        name:
                            "\(command.name.title): \(Title.of(argument).lowercased().droppingPlural) \(text)",
                        order: .run(command.name, [argument: .array([item])], [])))
            }
        }
    }

    private static func component(of schema: ArgumentSchema) -> EntityComponent {
        if schema.choices != nil { return .select }
        return schema.isTruth ? .switch : .number
    }

    private static func members(of schema: ArgumentSchema, named name: String) -> JSONObject {
        if let choices = schema.choices {
            return ["options": .array(choices.map(JSONValue.string))]
        }
        guard let minimum = schema.minimum, let maximum = schema.maximum else { return [:] }
        var members: JSONObject = [
            "min": .number(minimum), "max": .number(maximum),
            "step": .number(schema.step(minimum, maximum)), "mode": "box",
        ]
        guard let known = SignalClass.known(name) else { return members }
        if let unit = known.unit { members["unit_of_measurement"] = .string(unit) }
        return members
    }

    // MARK: Signals

    private mutating func addSignal(_ member: String, _ form: SeenMembers.Form) {
        let key = TopicWord.escaping(member)
        let signal = SignalClass.of(member)
        let isNumber = form == .number || (form == .unknown && SignalClass.known(member) != nil)
        if form == .boolean {
            let isCharging = member == Signal.isCharging.rawValue
            add(
                Entity(
                    component: .binarySensor, key: key, name: Title.of(member),
                    members: isCharging ? ["device_class": "battery_charging"] : [:],
                    reading: .truth(member, isNegated: false)))
        } else {
            add(
                Entity(
                    component: .sensor, key: key,
                    name: isNumber ? signal.title : Title.of(member),
                    members: isNumber ? signal.members : [:], reading: .member(member)))
        }
    }
}

extension SignalClass {
    /// The member's name as a person reads it, without its unit.
    fileprivate var title: String { Title.of(stem) }
}

extension CommandName {
    /// The command as a person reads it; a setting by what it sets.
    fileprivate var title: String {
        Title.of(rawValue.hasPrefix("set-") ? String(rawValue.dropFirst(4)) : rawValue)
    }
}

extension ArgumentSchema {
    /// The step of a number: whole, or a hundredth of a range that is small.
    fileprivate func step(_ minimum: Double, _ maximum: Double) -> Double {
        type == .integer || maximum - minimum >= 1_000 ? 1 : maximum - minimum > 10 ? 0.1 : 0.01
    }
}

extension String {
    /// The name of one item of a list: `room` of `rooms`.
    fileprivate var droppingPlural: Substring { hasSuffix("s") ? dropLast() : self[...] }
}
