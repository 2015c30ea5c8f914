import Homeport

/// What a message of Home Assistant asks for.
enum EntityRequest: Hashable, Sendable {
    /// A command for the device.
    case send(CommandName, JSONObject)
    /// An argument to keep for a later command.
    case keep(Draft, JSONValue)
}

extension Entity {
    /// Reads what Home Assistant has sent to this entity.
    /// - Parameter key: the entity's own, or that of its fan speed.
    /// - Throws: ``HomeAssistantError`` `badPayload`.
    func request(
        _ payload: [UInt8], key: String, _ report: DeviceReport, _ drafts: [Draft: JSONValue]
    ) throws(HomeAssistantError) -> EntityRequest {
        let text = String(decoding: payload, as: UTF8.self)
        switch order {
        case .none: throw .payload(text, of: self, "it takes no commands")
        case .setting(let command, let argument, let schema):
            return .send(command, [argument: try value(text, schema, named: argument)])
        case .keep(let draft):
            return .keep(draft, try value(text, draft.schema, named: draft.argument))
        case .run(let command, let fixed, let kept):
            guard text == "PRESS" else { throw .payload(text, of: self, "only PRESS is taken") }
            return .send(command, fixed.merging(kept.arguments(drafts)) { first, _ in first })
        case .pair(let pair):
            if let slider = pair.sliders.first(where: { $0.key(of: self.key) == key }) {
                let value = try number(text, slider.schema, named: slider.argument)
                return .send(slider.command, [slider.argument: value])
            }
            guard let command = pair.command(for: text) else {
                throw .payload(text, of: self, "the device has no command for it")
            }
            return .send(command, [:])
        case .vacuum(let commands):
            if key == VacuumCommands.fanKey { return try fan(text, commands) }
            return try vacuum(text, commands, report, drafts)
        }
    }

    private func vacuum(
        _ text: String, _ commands: VacuumCommands, _ report: DeviceReport,
        _ drafts: [Draft: JSONValue]
    ) throws(HomeAssistantError) -> EntityRequest {
        let command: CommandName? =
            switch text {
            case "start":
                report.state[.activity] == "paused"
                    ? commands.resume ?? commands.start : commands.start
            case "pause": commands.pause
            case "stop": commands.stop
            case "return_to_base": commands.returning
            case "locate": commands.locate
            default: nil
            }
        guard let command else {
            throw .payload(text, of: self, "the device has no command for it")
        }
        let isStart = command == commands.start
        return .send(command, isStart ? commands.drafts.arguments(drafts) : [:])
    }

    private func fan(
        _ text: String, _ commands: VacuumCommands
    ) throws(HomeAssistantError) -> EntityRequest {
        guard let fan = commands.fan, fan.levels.contains(text) else {
            let levels = commands.fan?.levels ?? []
            throw .payload(text, of: self, "one of \(levels.joined(separator: ", ")) is taken")
        }
        return .send(fan.command, [fan.argument: .string(text)])
    }

    private func value(
        _ text: String, _ schema: ArgumentSchema, named name: String
    ) throws(HomeAssistantError) -> JSONValue {
        let value: JSONValue? =
            switch component {
            // A text that is no choice gets the device's own words of refusal.
            case .select: schema.choice(text) ?? .string(text)
            case .switch: text == "ON" ? true : text == "OFF" ? false : nil
            case .number: try? JSONReader.read(Array(text.utf8))
            case .vacuum, .sensor, .binarySensor, .button, .light, .lock, .cover: nil
            }
        guard let value else { throw .payload(text, of: self, "it does not fit a \(component)") }
        return try checked(value, text, schema, named: name)
    }

    private func number(
        _ text: String, _ schema: ArgumentSchema, named name: String
    ) throws(HomeAssistantError) -> JSONValue {
        guard let value = try? JSONReader.read(Array(text.utf8)), value.number != nil else {
            throw .payload(text, of: self, "it is no number")
        }
        return try checked(value, text, schema, named: name)
    }

    private func checked(
        _ value: JSONValue, _ text: String, _ schema: ArgumentSchema, named name: String
    ) throws(HomeAssistantError) -> JSONValue {
        do {
            try ArgumentSchema.members([name: schema]).check([name: value])
        } catch {
            throw .payload(text, of: self, "\(error)")
        }
        return value
    }
}

/// A command that is given by its own name, as `locate` or
/// `{"command":"start-cleaning","rooms":[1]}`: the form of Home Assistant's action
/// `vacuum.send_command`.
struct NamedCommand: Hashable, Sendable {
    let name: CommandName
    let arguments: JSONObject

    /// - Throws: ``HomeAssistantError`` `badPayload`.
    init(_ payload: [UInt8]) throws(HomeAssistantError) {
        guard payload.first == UInt8(ascii: "{") else {
            let text = String(decoding: payload, as: UTF8.self)
            guard !text.isEmpty, text.utf8.allSatisfy(TopicWord.isPlain) else {
                throw HomeAssistantError(
                    .badPayload,
                    "\(text.debugDescription) is no command: send its name, or "
                        + "{\"command\": its name, and its arguments}")
            }
            name = CommandName(rawValue: text)
            arguments = [:]
            return
        }
        do {
            var members = try JSONReader.read(payload).object ?? [:]
            guard let name = members.removeValue(forKey: "command")?.string else {
                throw HomeAssistantError(
                    .badPayload, "the command has no member \"command\" with its name")
            }
            self.name = CommandName(rawValue: name)
            arguments = members
        } catch let error as HomeAssistantError {
            throw error
        } catch {
            throw HomeAssistantError(.badPayload, "the command is no JSON: \(error)")
        }
    }
}

extension NamedCommand {
    /// The arguments for a device: a value that it takes only as a text, as `1234` of a PIN, is that text.
    func arguments(for profile: DeviceProfile) -> JSONObject {
        let schemas = profile.specification(of: name)?.arguments?.properties ?? [:]
        return arguments.reduce(into: arguments) { given, argument in
            guard argument.value.string == nil, let schema = schemas[argument.key] else { return }
            let text = String(decoding: JSONWriter.write(argument.value), as: UTF8.self)
            given[argument.key] = schema.value(typed: text)
        }
    }
}

extension [Draft] {
    /// The arguments as they are kept.
    fileprivate func arguments(_ values: [Draft: JSONValue]) -> JSONObject {
        reduce(into: [:]) { $0[$1.argument] = values[$1] ?? $1.initial }
    }
}

extension HomeAssistantError {
    fileprivate static func payload(
        _ text: String, of entity: Entity, _ reason: String
    ) -> HomeAssistantError {
        HomeAssistantError(
            .badPayload,
            "\(text.debugDescription) for \(entity.component.rawValue) \(entity.key): \(reason)")
    }
}
