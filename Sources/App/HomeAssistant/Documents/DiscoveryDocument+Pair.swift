import Homeport

extension CommandPair {
    /// The payloads that Home Assistant sends for the two settings and shows as their states.
    private var payloads: (on: String, off: String, isOn: String, isOff: String) {
        switch component {
        case .lock: ("LOCK", "UNLOCK", "LOCKED", "UNLOCKED")
        case .cover: ("OPEN", "CLOSE", "open", "closed")
        case .light, .switch, .vacuum, .sensor, .binarySensor, .number, .select, .button:
            ("ON", "OFF", "ON", "OFF")
        }
    }

    /// The command that a payload asks for; `nil` for another payload.
    func command(for payload: String) -> CommandName? {
        let payloads = payloads
        switch payload {
        case payloads.on: return on.command
        case payloads.off: return off.command
        case "STOP": return stop
        default: return nil
        }
    }

    /// The states of the entity and its numbers, by their keys. What is not known is null.
    func states(_ members: JSONObject, key: String) -> JSONObject {
        var states: JSONObject = [key: .null]
        if members[member] == on.value { states[key] = .string(payloads.isOn) }
        if members[member] == off.value { states[key] = .string(payloads.isOff) }
        for slider in sliders {
            let number = members[slider.member]?.number.map(JSONValue.number)
            states[slider.key(of: key)] = number ?? .null
        }
        return states
    }

    /// Topics and payloads, as Home Assistant's discovery names them for each kind of entity.
    func discovery(_ device: DeviceID, _ key: String, _ topics: BridgeTopics) -> JSONObject {
        let command = { (key: String) in
            JSONValue.string(topics.command(device, component, key))
        }
        let (state, template) = (JSONValue.string(topics.state(of: device)), template(of:))
        let payloads = payloads
        var members: JSONObject = ["command_topic": command(key)]
        switch component {
        case .light:
            members["state_topic"] = state
            members["state_value_template"] = template(key)
        case .cover:
            members["payload_stop"] = stop == nil ? .null : "STOP"
            // With a position Home Assistant sees by it whether the cover is open.
            guard sliders.isEmpty else { break }
            members["state_topic"] = state
            members["value_template"] = template(key)
        case .lock:
            members["payload_lock"] = .string(payloads.on)
            members["payload_unlock"] = .string(payloads.off)
            members["state_locked"] = .string(payloads.isOn)
            members["state_unlocked"] = .string(payloads.isOff)
            members["state_topic"] = state
            members["value_template"] = template(key)
        case .switch, .vacuum, .sensor, .binarySensor, .number, .select, .button:
            members["state_topic"] = state
            members["value_template"] = template(key)
        }
        for slider in sliders {
            let sliderKey = slider.key(of: key)
            members.merge(
                slider.discovery(command(sliderKey), state, template(sliderKey))
            ) { $1 }
        }
        return members
    }

    /// An empty result is ignored by Home Assistant, where it would take `None` for a state.
    private func template(of key: String) -> JSONValue {
        let path = "value_json.get('\(component.rawValue)', {}).get('\(key)')"
        return .string("{% set value = \(path) %}{{ '' if value is none else value }}")
    }
}

extension CommandPair.Slider {
    fileprivate func discovery(
        _ command: JSONValue, _ state: JSONValue, _ template: JSONValue
    ) -> JSONObject {
        let (low, high) = (schema.minimum ?? 0, schema.maximum ?? 0)
        return switch role {
        case "position":
            [
                "set_position_topic": command, "position_topic": state,
                "position_template": template, "position_closed": .number(low),
                "position_open": .number(high),
            ]
        case "color_temp":
            [
                "color_temp_command_topic": command, "color_temp_state_topic": state,
                "color_temp_value_template": template, "min_mireds": .number(low),
                "max_mireds": .number(high),
            ]
        default:
            [
                "brightness_command_topic": command, "brightness_state_topic": state,
                "brightness_value_template": template, "brightness_scale": .number(high),
            ]
        }
    }
}
