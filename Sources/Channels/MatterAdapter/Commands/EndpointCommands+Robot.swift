internal import DeviceDomain

// Sweeping robots.
extension EndpointCommands {
    /// Selects the rooms, if any are named, and starts with the first mode for cleaning once that was accepted. Without
    /// rooms a robot that keeps the selection of an earlier run is told to clean everywhere.
    var cleaning: [MatterCommand] {
        let modes = DeviceMode.all(value(Cluster.rvcRunMode, 0))
        guard let mode = modes.first(where: { $0.tags.contains(DeviceMode.cleaning) }) else {
            return []
        }
        let running = EffectProof(
            path: path(Cluster.rvcRunMode, 1), test: .oneOf([.integer(mode.number)]),
            or: [EffectProof(path: path(Cluster.rvcOperationalState, 4), test: .oneOf([1]))])
        let areas =
            endpoint.controls.contains(Cluster.serviceArea)
            ? CleaningArea.all(value(Cluster.serviceArea, 0)) : []
        let start = invoke(
            Cluster.rvcRunMode, "ChangeToMode", ["newMode": .integer(mode.number)])
        // Most robots refuse another selection while they clean.
        let keepsSelection =
            value(Cluster.serviceArea, 2)?.array?.isEmpty == false
            && value(Cluster.rvcRunMode, 1)?.integer != mode.number && !areas.isEmpty
        return [
            MatterCommand(
                specification: CommandSpecification(
                    name: .startCleaning, arguments: Self.roomArguments(areas), sort: .action),
                requests: { [target = target] arguments in
                    let everywhere: JSONValue? = keepsSelection ? .array([]) : nil
                    guard let rooms = arguments["rooms"] ?? everywhere else { return [start] }
                    return [
                        target.invoke(Cluster.serviceArea, "SelectAreas", ["newAreas": rooms]),
                        start,
                    ]
                }, proof: { _ in running })
        ]
    }

    /// Rooms by number or name.
    private static func roomArguments(_ areas: [CleaningArea]) -> ArgumentSchema {
        guard !areas.isEmpty else { return .nothing }
        let room = ArgumentSchema(
            type: .integer, allowed: areas.map { .integer($0.id) },
            presets: areas.map { ArgumentSchema.Preset(name: $0.name, value: .integer($0.id)) })
        return .members(["rooms": .array(of: room)], optional: ["rooms"])
    }

    var moving: [MatterCommand] {
        let cluster = Cluster.rvcOperationalState
        let all: [(name: CommandName, number: Int, command: String, states: [Int])] = [
            ("pause", 0, "Pause", [2]), ("resume", 3, "Resume", [1]),
            ("return-to-dock", 128, "GoHome", [0x40, 0x41, 0x42]),
        ]
        return all.filter { accepts($0.number, of: cluster) }.map { name, _, command, states in
            verb(
                name, sort: .action, lane: name == "pause" ? .urgent : .normal,
                invoke(cluster, command),
                EffectProof(
                    path: path(cluster, 4), test: .oneOf(states.map(JSONValue.integer))))
        }
    }

    var cleanMode: [MatterCommand] {
        let cluster = Cluster.rvcCleanMode
        let modes = DeviceMode.all(value(cluster, 0))
        guard !modes.isEmpty else { return [] }
        let current = path(cluster, 1)
        @Sendable func number(_ value: JSONValue) -> JSONValue {
            modes.first { $0.name == value.string }.map { .integer($0.number) } ?? .null
        }
        return [
            setting(
                "set-clean-mode", "mode", .oneOf(modes.map(\.name)), sets: "clean_mode",
                { [target = target] value in
                    target.invoke(cluster, "ChangeToMode", ["newMode": number(value)])
                },
                { EffectProof(path: current, test: .oneOf([number($0)])) })
        ]
    }

    /// Makes the device show where it is, for ten seconds.
    var locating: [MatterCommand] {
        [
            verb(
                .locate, sort: .instant,
                target.invoke(Cluster.identify, "Identify", ["identifyTime": 10]),
                nil)
        ]
    }
}
