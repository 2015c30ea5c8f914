internal import DeviceDomain

// Covers, thermostats and charging stations.
extension EndpointCommands {
    // MARK: Covers

    var covering: [MatterCommand] {
        let cluster = Cluster.windowCovering
        let lift = path(cluster, 14)
        let knowsPosition = node.has(endpoint.number, cluster, 14)
        func end(_ value: Int) -> EffectProof? {
            knowsPosition ? EffectProof(path: lift, test: .near(Double(value), within: 50)) : nil
        }
        let stands =
            node.has(endpoint.number, cluster, 10)
            ? EffectProof(path: path(cluster, 10), test: .bits(3, are: 0)) : nil
        var commands = [
            verb("open", invoke(cluster, "UpOrOpen"), end(0)),
            verb("close", invoke(cluster, "DownOrClose"), end(10_000)),
            verb("stop", sort: .instant, lane: .urgent, invoke(cluster, "StopMotion"), stands),
        ]
        let features = value(cluster, Cluster.featureMap)?.integer
        if features.map({ $0 & 4 != 0 }) ?? knowsPosition { commands.append(position) }
        return commands
    }

    /// A cover counts hundredths of what is closed, people per cent of what is open.
    private var position: MatterCommand {
        let cluster = Cluster.windowCovering
        let lift = path(cluster, 14)
        @Sendable func closed(_ value: JSONValue) -> JSONValue {
            JSONValue.number((100 - (value.number ?? 0)) * 100).rounded
        }
        return setting(
            "set-position", "position", .number(0...100), sets: "position",
            { [target = target] value in
                target.invoke(
                    cluster, "GoToLiftPercentage", ["liftPercent100thsValue": closed(value)])
            }, { EffectProof(path: lift, test: .near(closed($0).number ?? .nan, within: 100)) })
    }

    // MARK: Thermostats

    var climate: [MatterCommand] {
        let abilities = ThermostatAbilities(self)
        var commands: [MatterCommand] = []
        if abilities.heats {
            commands.append(
                setpoint("heating", attribute: 18, limits: [21, 22, 3, 4], usual: 700...3000))
        }
        if abilities.cools {
            commands.append(
                setpoint("cooling", attribute: 17, limits: [23, 24, 5, 6], usual: 1600...3200))
        }
        commands.append(mode(abilities.modes))
        return commands
    }

    /// - Parameters:
    ///   - limits: the attributes of the limits that the user has set, then of those of the device.
    ///   - usual: the limits of the specification, in hundredths of a degree.
    private func setpoint(
        _ name: String, attribute: Int, limits: [Int], usual: ClosedRange<Int>
    ) -> MatterCommand {
        let known = limits.map { value(Cluster.thermostat, $0)?.integer }
        let low = known[0] ?? known[2] ?? usual.lowerBound
        let high = max(low, known[1] ?? known[3] ?? usual.upperBound)
        let target = path(Cluster.thermostat, attribute)
        let node = node.id
        @Sendable func hundredths(_ value: JSONValue) -> JSONValue {
            JSONValue.number((value.number ?? 0) * 100).rounded
        }
        return setting(
            CommandName(rawValue: "set-\(name)-setpoint"), "\(name)-setpoint",
            .number(Double(low) / 100...Double(high) / 100), sets: "\(name)_setpoint",
            { .write(node: node, target, hundredths($0)) },
            { EffectProof(path: target, test: .near(hundredths($0).number ?? .nan, within: 0)) })
    }

    private func mode(_ modes: [ThermostatMode]) -> MatterCommand {
        let target = path(Cluster.thermostat, 28)
        let node = node.id
        @Sendable func number(_ value: JSONValue) -> JSONValue {
            modes.first { $0.name == value }.map { .integer($0.rawValue) } ?? .null
        }
        return setting(
            "set-mode", "mode", ArgumentSchema(type: .string, allowed: modes.map(\.name)),
            sets: "mode", { .write(node: node, target, number($0)) },
            { EffectProof(path: target, test: .oneOf([number($0)])) })
    }

    // MARK: Charging stations

    var charging: [MatterCommand] {
        let supply = path(Cluster.evse, 1)
        @Sendable func shown(_ states: [Int]) -> EffectProof {
            EffectProof(path: supply, test: .oneOf(states.map(JSONValue.integer)))
        }
        let lowest = max(0, value(Cluster.evse, 6)?.integer ?? 6_000)
        // The maximum that is in force is 0 while charging is disabled.
        let limits = [5, 9].compactMap { value(Cluster.evse, $0)?.integer }.filter { $0 > 0 }
        let highest = max(lowest, limits.min() ?? 16_000)
        let most = "maximum-current"
        let enable = MatterCommand(
            specification: CommandSpecification(
                name: "enable",
                arguments: .members(
                    [most: .number(Double(lowest) / 1000...Double(highest) / 1000)],
                    optional: [most]), sort: .setting),
            requests: { [target = target] arguments in
                let chosen = arguments[most]?.number.map { JSONValue.number($0 * 1000).rounded }
                let payload: JSONObject = [
                    "chargingEnabledUntil": .null, "minimumChargeCurrent": .integer(lowest),
                    "maximumChargeCurrent": chosen ?? .integer(highest),
                ]
                return [target.invoke(Cluster.evse, "EnableCharging", payload, timed: true)]
            }, proof: { _ in shown([1, 5]) })
        return [
            verb("disable", invoke(Cluster.evse, "Disable", timed: true), shown([0, 3, 4])), enable,
        ]
    }
}

/// What a thermostat can do (Matter application cluster specification, `ControlSequenceOfOperation`).
private struct ThermostatAbilities {
    let heats: Bool
    let cools: Bool
    private let isAutomatic: Bool

    init(_ commands: EndpointCommands) {
        let features = commands.value(Cluster.thermostat, Cluster.featureMap)?.integer
        let sequence = commands.value(Cluster.thermostat, 27)?.integer
        func has(_ attribute: Int) -> Bool {
            commands.node.has(commands.endpoint.number, Cluster.thermostat, attribute)
        }
        // Bits of the feature map: 0 heating, 1 cooling, 5 automatic.
        heats =
            sequence.map { (2...5).contains($0) } ?? features.map { $0 & 1 != 0 } ?? has(18)
        cools =
            sequence.map { [0, 1, 4, 5].contains($0) } ?? features.map { $0 & 2 != 0 } ?? has(17)
        isAutomatic = features.map { $0 & 0x20 != 0 } ?? (heats && cools)
    }

    var modes: [ThermostatMode] {
        [.off] + (isAutomatic ? [.auto] : []) + (cools ? [.cool] : []) + (heats ? [.heat] : [])
    }
}
