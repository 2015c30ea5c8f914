internal import DeviceDomain

// Lights, plugs and locks.
extension EndpointCommands {
    var switching: [MatterCommand] {
        [("turn-on", "On", true), ("turn-off", "Off", false)].map { name, command, isOn in
            verb(
                CommandName(rawValue: name),
                sets: StateTarget(member: "state", value: isOn ? "ON" : "OFF"),
                invoke(Cluster.onOff, command),
                EffectProof(path: path(Cluster.onOff, 0), test: .oneOf([.boolean(isOn)])))
        }
    }

    /// The command of the cluster that turns the light on too: the other one does nothing while it is off.
    var brightness: MatterCommand {
        let cluster = Cluster.level
        let low = max(1, value(cluster, 2)?.integer ?? 1)
        let high = min(254, value(cluster, 3)?.integer ?? 254)
        let level = path(cluster, 0)
        return setting(
            "set-brightness", "brightness", .integer(low...max(low, high)), sets: "brightness",
            { [target = target] value in
                target.invoke(cluster, "MoveToLevelWithOnOff", Self.transition(["level": value]))
            }, { EffectProof(path: level, test: .near($0.number ?? .nan, within: 0)) })
    }

    var colors: [MatterCommand] {
        let cluster = Cluster.color
        // Bits: 0 hue and saturation, 4 colour temperature. A device that does not say takes what it reports.
        let abilities = value(cluster, 16394)?.integer
        let takesTemperature =
            abilities.map { $0 & 0x10 != 0 } ?? node.has(endpoint.number, cluster, 7)
        let takesHue = abilities.map { $0 & 1 != 0 } ?? node.has(endpoint.number, cluster, 0)
        return (takesTemperature ? [colorTemperature] : []) + (takesHue ? [color] : [])
    }

    private var colorTemperature: MatterCommand {
        let cluster = Cluster.color
        let low = max(1, value(cluster, 16395)?.integer ?? 153)
        let high = min(65_279, value(cluster, 16396)?.integer ?? 500)
        let mireds = path(cluster, 7)
        return setting(
            "set-color-temp", "color-temp", .integer(low...max(low, high)), sets: "color_temp",
            { [target = target] value in
                target.invoke(
                    cluster, "MoveToColorTemperature",
                    Self.transition(["colorTemperatureMireds": value]))
            }, { EffectProof(path: mireds, test: .near($0.number ?? .nan, within: 1)) })
    }

    private var color: MatterCommand {
        let cluster = Cluster.color
        let hue = path(cluster, 0)
        @Sendable func step(_ value: JSONValue?, of whole: Double) -> JSONValue {
            .number((value?.number ?? 0) * 254 / whole).rounded
        }
        return MatterCommand(
            specification: CommandSpecification(
                name: "set-color",
                arguments: .members(["hue": .number(0...360), "saturation": .number(0...100)]),
                sort: .setting),
            requests: { [target = target] arguments in
                [
                    target.invoke(
                        cluster, "MoveToHueAndSaturation",
                        Self.transition([
                            "hue": step(arguments["hue"], of: 360),
                            "saturation": step(arguments["saturation"], of: 100),
                        ]))
                ]
            },
            proof: { arguments in
                let wanted = step(arguments["hue"], of: 360).number ?? .nan
                return EffectProof(path: hue, test: .near(wanted, within: 1))
            })
    }

    /// All members must be there: the server fills missing ones with 0.
    private static func transition(_ members: JSONObject) -> JSONObject {
        members.merging(["transitionTime": 0, "optionsMask": 0, "optionsOverride": 0]) { own, _ in
            own
        }
    }

    var locking: [MatterCommand] {
        let cluster = Cluster.doorLock
        let needsPIN = value(cluster, 51)?.boolean ?? false
        let state = path(cluster, 0)
        let arguments: ArgumentSchema =
            needsPIN
            ? .members(["pin": ArgumentSchema(type: .string, isWriteOnly: true)]) : .nothing
        return [
            ("lock", "LockDoor", "LOCK", [1]), ("unlock", "UnlockDoor", "UNLOCK", [2, 3]),
        ].map { name, command, shown, states in
            MatterCommand(
                specification: CommandSpecification(
                    name: CommandName(rawValue: name), arguments: arguments, sort: .setting,
                    sets: StateTarget(member: "state", value: .string(shown))),
                requests: { [target = target] arguments in
                    let pin = arguments["pin"]?.string
                    let payload: JSONObject =
                        pin.map { ["PINCode": .string(Array($0.utf8).base64)] } ?? [:]
                    return [target.invoke(cluster, command, payload, timed: true)]
                },
                proof: { _ in
                    EffectProof(path: state, test: .oneOf(states.map(JSONValue.integer)))
                })
        }
    }
}

extension JSONValue {
    /// The nearest whole number.
    var rounded: JSONValue { number.map { .number($0.rounded()) } ?? self }
}

extension [UInt8] {
    /// The bytes as Base64 (RFC 4648, section 4).
    var base64: String {
        let alphabet = [Character](
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" as String)
        var text = ""
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            var bits = group.reduce(0) { $0 << 8 | Int($1) }
            bits <<= 8 * (3 - group.count)
            for place in 0..<4 {
                text.append(
                    place <= group.count ? alphabet[bits >> (18 - 6 * place) & 0x3F] : "=")
            }
        }
        return text
    }
}
