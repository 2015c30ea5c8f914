import Homeport

extension BridgeDocument {
    /// What Home Assistant is told of an entity. Names from the device are in no template and no topic.
    static func discovery(
        _ entity: Entity, of profile: DeviceProfile, _ topics: BridgeTopics,
        _ label: DeviceLabel = DeviceLabel()
    ) -> BridgeDocument {
        let (device, component, key) = (profile.id, entity.component, entity.key)
        var members = entity.members
        members["unique_id"] = .string(
            "\(topics.uniqueID(device))_\(component.rawValue)_\(key)")
        members["name"] = entity.name.map(JSONValue.string) ?? .null
        members["device"] = .object(self.device(profile, label, topics))
        members["origin"] = ["name": "Homeport"]
        members["availability"] = .array([
            ["topic": .string(topics.status)],
            ["topic": .string(topics.availability(of: device))],
        ])
        members["availability_mode"] = "all"
        members["qos"] = 1
        addTopics(of: entity, device, topics, to: &members)
        return BridgeDocument(topics.discovery(device, component, key), members)
    }

    private static func device(
        _ profile: DeviceProfile, _ label: DeviceLabel, _ topics: BridgeTopics
    ) -> JSONObject {
        let ownName = profile.name.isEmpty ? profile.id.text : profile.name
        var members: JSONObject = [
            "identifiers": .array([.string(topics.uniqueID(profile.id))]),
            "name": .string(label.name?.text ?? ownName),
            "model": .string(profile.model.rawValue),
        ]
        if let room = label.room { members["suggested_area"] = .string(room.text) }
        if !profile.firmware.isEmpty { members["sw_version"] = .string(profile.firmware) }
        return members
    }

    private static func addTopics(
        of entity: Entity, _ device: DeviceID, _ topics: BridgeTopics, to members: inout JSONObject
    ) {
        let state = JSONValue.string(topics.state(of: device))
        let command = topics.command(device, entity.component, entity.key)
        switch entity.reading {
        case .none, .pair: break
        case .vacuum: members["state_topic"] = .string(topics.vacuum(of: device))
        case .member, .number, .choice, .truth, .draft, .unreported:
            members["state_topic"] = state
            // A state of an earlier run may lack the entity, which then is unknown.
            members["value_template"] = .string(
                "{{ value_json.get('\(entity.component.rawValue)', {}).get('\(entity.key)') }}")
        }
        switch entity.order {
        case .none: break
        case .setting, .keep, .run: members["command_topic"] = .string(command)
        case .pair(let pair):
            members.merge(pair.discovery(device, entity.key, topics)) { $1 }
        case .vacuum(let commands):
            members["command_topic"] = .string(command)
            members["send_command_topic"] = .string(topics.send(to: device))
            if commands.fan != nil {
                members["set_fan_speed_topic"] = .string(
                    topics.command(device, entity.component, VacuumCommands.fanKey))
            }
        }
    }
}

extension VacuumCommands {
    /// The key under which Home Assistant sends fan speeds.
    static let fanKey = "fan"
}
