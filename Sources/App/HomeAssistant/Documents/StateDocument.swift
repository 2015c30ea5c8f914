import Homeport

extension BridgeDocument {
    /// The longest state that Home Assistant takes, in characters (homeassistant/const.py,
    /// `MAX_LENGTH_STATE_STATE`).
    private static let longestState = 255

    /// The states of a device's entities, apart from that of its vacuum.
    static func state(
        _ entities: DeviceEntities, _ report: DeviceReport, _ drafts: [Draft: JSONValue],
        of device: DeviceID, _ topics: BridgeTopics
    ) -> BridgeDocument {
        let merged = report.merged
        var components: [String: JSONObject] = [:]
        for entity in entities.all {
            if case .pair(let pair) = entity.reading {
                components[entity.component.rawValue, default: [:]]
                    .merge(pair.states(merged, key: entity.key)) { $1 }
            }
            guard let value = value(of: entity.reading, merged, drafts) else { continue }
            components[entity.component.rawValue, default: [:]][entity.key] = value
        }
        return BridgeDocument(
            topics.state(of: device), components.mapValues(JSONValue.object))
    }

    /// The state of a device's vacuum; `nil` if it has none.
    static func vacuum(
        _ entities: DeviceEntities, _ report: DeviceReport, of device: DeviceID,
        _ topics: BridgeTopics
    ) -> BridgeDocument? {
        for entity in entities.all {
            guard case .vacuum(let fanMember) = entity.reading else { continue }
            let state = VacuumState.of(report.state[.activity]?.string)
            var members: JSONObject = ["state": state.map(JSONValue.string) ?? .null]
            if let fanMember, let fan = report.state[fanMember]?.string {
                members["fan_speed"] = .string(fan)
            }
            return BridgeDocument(topics.vacuum(of: device), members)
        }
        return nil
    }

    /// Whether a device can be reached; one in doubt cannot.
    static func availability(
        _ connection: ConnectionState, of device: DeviceID, _ topics: BridgeTopics
    ) -> BridgeDocument {
        BridgeDocument(
            topics.availability(of: device), connection.isOnline ? "online" : "offline")
    }

    /// The value of an entity; `nil` if it has no state in the document. A value that is not known is
    /// null, which Home Assistant shows as unknown.
    private static func value(
        of reading: Entity.Reading, _ members: JSONObject, _ drafts: [Draft: JSONValue]
    ) -> JSONValue? {
        switch reading {
        case .none, .vacuum, .pair: return nil
        case .unreported: return .null
        case .member(let name): return shown(members[name] ?? .null)
        case .number(let name): return members[name]?.number.map(JSONValue.number) ?? .null
        case .choice(let name, let texts):
            let text = members[name]?.choiceText
            return text.flatMap { texts.contains($0) ? .string($0) : nil } ?? .null
        case .draft(let draft):
            let value = drafts[draft] ?? draft.initial
            return draft.schema.choices == nil
                ? shown(value) : value.choiceText.map(JSONValue.string) ?? .null
        case .truth(let name, let isNegated):
            guard let value = members[name]?.boolean else { return .null }
            return shown(.boolean(value != isNegated))
        }
    }

    private static func shown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .number: value
        case .boolean(let flag): flag ? "ON" : "OFF"
        case .string(let text): .string(String(text.prefix(longestState)))
        case .array(let items): list(items.compactMap(\.text))
        case .object: .null
        }
    }

    private static func list(_ texts: [String]) -> JSONValue {
        guard !texts.isEmpty else { return "none" }
        return .string(String(texts.joined(separator: ", ").prefix(longestState)))
    }
}
