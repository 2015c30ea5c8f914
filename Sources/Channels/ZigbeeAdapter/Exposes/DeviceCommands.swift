internal import DeviceDomain

/// The commands of a Zigbee device, from its exposes.
///
/// | Feature that can be set | Commands |
/// |---|---|
/// | property `state` of a light or switch, `state` or `fan_state` of a fan | `turn-on`, `turn-off`, and `toggle` if the device knows it |
/// | property `state` of a lock | `lock`, `unlock` |
/// | property `state` of a cover | `open`, `close`, `stop`, as far as it lists them |
/// | `brightness`, `color_temp`, `position`, `tilt` of a class | `set-brightness {brightness}`, `set-color-temp {color-temp}`, … |
/// | a colour | `set-color {x, y}`, or `set-color {hue, saturation}`; with both the second is `set-color-hs` |
/// | any other property `p` | `set-p {value}`, underscores as hyphens |
///
/// A switch, lock or cover of another property, such as a child lock or an away mode, is such a property: it
/// must not be switched together with the devices of a home. So is the fan of a lamp. Commands for a feature of an endpoint end with
/// its name: `turn-on-l1`, `set-brightness-l1`. A name that another property has already gets a number:
/// `set-p-2`. The ranges are those of the device, because the bridge silently clamps values beyond them; the
/// presets of a number are taken beside its range. Brightness starts at 1, since 0 would turn the light off.
/// A command is a setting if the state shows its value, else an instant; so are `toggle` and `stop`, whose
/// effect no value confirms.
struct DeviceCommands: Hashable, Sendable {
    /// The commands in the order of the features.
    private(set) var all: [BridgeCommand] = []
    /// Features for which there is no command, and why.
    private(set) var omissions: [String] = []
    private var places: [CommandName: Int] = [:]

    init(_ exposes: DeviceExposes) {
        for group in exposes.groups {
            for feature in group.features where feature.isSettable {
                add(feature, in: group, of: exposes.kind)
            }
        }
    }

    /// No commands at all.
    static let none = DeviceCommands(DeviceExposes([]))

    /// The command of a name.
    subscript(name: CommandName) -> BridgeCommand? {
        places[name].map { all[$0] }
    }

    // MARK: Rules

    private mutating func add(
        _ feature: ExposedFeature, in group: DeviceExposes.Group, of kind: DeviceKind
    ) {
        let proof = EffectProof(feature)
        // A lamp with a fan is a light: its verbs are those of the lamp.
        let isState = group.isState(feature) && (feature.attribute == "state" || kind == .fan)
        switch (group.class, isState, feature.form) {
        case (.light, true, .binary(let on, let off, let toggle)),
            (.switch, true, .binary(let on, let off, let toggle)),
            (.fan, true, .binary(let on, let off, let toggle)):
            addVerb("turn-on", feature, on, proof)
            addVerb("turn-off", feature, off, proof)
            if let toggle { addVerb("toggle", feature, toggle, nil) }
        case (.lock, true, .binary(let on, let off, _)):
            addVerb("lock", feature, on, proof)
            addVerb("unlock", feature, off, proof)
        case (.cover, true, .choice(let values)): addCover(feature, values, in: group)
        case (.light, _, .composite(let members)) where feature.name.hasPrefix("color_"):
            addColor(feature, members, proof, in: group)
        case (.some, _, .numeric) where Self.namedArguments.contains(feature.name):
            addSetting(
                feature, argument: feature.name.hyphenated,
                proof?.of(nil, isSlow: group.class == .cover))
        default: addSetting(feature, argument: "value", proof)
        }
    }

    /// Features whose argument has their own name.
    private static let namedArguments: Set = ["brightness", "color_temp", "position", "tilt"]

    private mutating func addCover(
        _ feature: ExposedFeature, _ values: [JSONValue], in group: DeviceExposes.Group
    ) {
        let position = group.features.first {
            $0.name == "position" && $0.endpoint == feature.endpoint
        }
        for value in values {
            switch value {
            case "OPEN":
                addVerb(
                    "open", feature, value, Self.coverProof(feature, value, position, atTop: true))
            case "CLOSE":
                addVerb(
                    "close", feature, value,
                    Self.coverProof(feature, value, position, atTop: false))
            case "STOP": addVerb("stop", feature, value, nil, lane: .urgent)
            default: omissions.append("\(feature.property) \(value): not a known movement")
            }
        }
    }

    /// A cover has opened when its position is at the end. Its state only shows that it is not closed, so it
    /// is used only if there is no position.
    private static func coverProof(
        _ feature: ExposedFeature, _ value: JSONValue, _ position: ExposedFeature?, atTop: Bool
    ) -> EffectProof? {
        guard let position, case .numeric(let minimum, let maximum, _, _) = position.form else {
            return EffectProof(feature)?.of(value, isSlow: true)
        }
        let end = atTop ? maximum ?? 100 : minimum ?? 0
        return EffectProof(position)?.of(.number(end), isSlow: true)
    }

    private mutating func addColor(
        _ feature: ExposedFeature, _ members: [ExposedFeature], _ proof: EffectProof?,
        in group: DeviceExposes.Group
    ) {
        let isSecond =
            feature.name == "color_hs"
            && group.features.contains { $0.name == "color_xy" && $0.isSettable }
        let schemas = members.map { ($0.property, Self.colorSchemas[$0.name] ?? $0.schema) }
        let name = "set-" + feature.property.hyphenated + (isSecond ? "-hs" : "")
        add(
            name, .members(Dictionary(schemas) { first, _ in first }), feature, .arguments, proof)
    }

    private static let colorSchemas: [String: ArgumentSchema] = [
        "x": .number(0...1), "y": .number(0...1), "hue": .number(0...360),
        "saturation": .number(0...100),
    ]

    private mutating func addSetting(
        _ feature: ExposedFeature, argument: String, _ proof: EffectProof?
    ) {
        add(
            "set-" + feature.property.hyphenated, .members([argument: feature.schema]), feature,
            .argument(argument), proof)
    }

    private mutating func addVerb(
        _ verb: String, _ feature: ExposedFeature, _ value: JSONValue, _ proof: EffectProof?,
        lane: CommandLane = .normal
    ) {
        let name = feature.endpoint.map { "\(verb)-\($0.hyphenated)" } ?? verb
        add(name, .nothing, feature, .fixed(value), proof, lane: lane)
    }

    private mutating func add(
        _ name: String, _ arguments: ArgumentSchema, _ feature: ExposedFeature,
        _ value: BridgeCommand.Value, _ proof: EffectProof?, lane: CommandLane = .normal
    ) {
        // Names of commands must be easy to type, so the grammar of event names applies to them.
        guard EventName(rawValue: name) != nil else {
            return omissions.append("\(feature.property): \(name) cannot be the name of a command")
        }
        guard let name = free(name, for: feature.property) else {
            return omissions.append("\(feature.property): there is a command \(name) already")
        }
        places[name] = all.count
        all.append(
            BridgeCommand(
                specification: CommandSpecification(
                    name: name, arguments: arguments, lane: lane,
                    sort: proof == nil ? .instant : .setting,
                    sets: proof == nil ? nil : value.target(feature.property)),
                property: feature.property, attribute: feature.attribute, value: value, proof: proof
            ))
    }

    /// A name that no command has yet, with a number if another property has it; `nil` if the same property
    /// has it.
    private func free(_ name: String, for property: String) -> CommandName? {
        var candidate = CommandName(rawValue: name)
        var number = 1
        while let former = self[candidate] {
            if former.property == property { return nil }
            number += 1
            candidate = CommandName(rawValue: "\(name)-\(number)")
        }
        return candidate
    }
}

extension ExposedFeature {
    /// The property without its endpoint, as in the bridge's log.
    var attribute: String {
        guard let endpoint, property.hasSuffix("_\(endpoint)") else { return property }
        return String(property.dropLast(endpoint.count + 1))
    }

    /// The schema of its values.
    var schema: ArgumentSchema {
        switch form {
        case .binary(let on, let off, _): ArgumentSchema(allowed: [on, off])
        case .numeric(let minimum, let maximum, _, let presets):
            ArgumentSchema(
                type: .number, minimum: name == "brightness" ? max(1, minimum ?? 1) : minimum,
                maximum: maximum, presets: presets)
        case .choice(let values): ArgumentSchema(allowed: values)
        case .text: ArgumentSchema(type: .string)
        case .list: ArgumentSchema(type: .array)
        case .composite(let members):
            ArgumentSchema(
                type: .object,
                properties: Dictionary(members.map { ($0.property, $0.schema) }) { first, _ in
                    first
                })
        }
    }
}

extension String {
    /// The text as part of a command's name.
    var hyphenated: String {
        String(
            lowercased().unicodeScalars.map {
                ["_", ".", " ", "/"].contains($0) ? "-" : Character($0)
            })
    }
}
