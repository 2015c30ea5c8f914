internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

// Messages of devices.
extension BridgeModel {
    static let availability = "availability"

    /// A message on a device's topic. It is kept if the bridge has not listed the device yet.
    mutating func entity(
        _ topic: FriendlyName, _ payload: [UInt8], _ isReplay: Bool
    ) -> [DeviceUpdate] {
        if let (id, part) = listedPart(topic) {
            return part == .state
                ? deviceState(id, payload, isReplay) : deviceAvailability(id, payload)
        }
        if !held.hold(topic, HeldMessages.Held(payload: payload, isReplay: isReplay)) {
            counters.droppedMessages += 1
        }
        return []
    }

    /// The listed device that publishes on a topic, and whether its state or its presence. The longest
    /// matching name wins, because a name may itself end in `/availability`.
    func listedPart(_ topic: FriendlyName) -> (DeviceID, DevicePart)? {
        if let id = names[topic] { return (id, .state) }
        let suffix = "/" + Self.availability
        guard topic.text.hasSuffix(suffix) else { return nil }
        return names[FriendlyName(topic.text.dropLast(suffix.count))].map { ($0, .presence) }
    }

    private mutating func deviceAvailability(
        _ id: DeviceID, _ payload: [UInt8]
    ) -> [DeviceUpdate] {
        guard !payload.isEmpty else {
            devices[id]?.availability = nil
            return [DeviceUpdate(device: id, content: .cleared(.presence))]
        }
        do {
            devices[id]?.availability = try BridgePayload.status(payload)
            return devices[id].flatMap(presenceUpdate).map { [$0] } ?? []
        } catch {
            return [malformed(.presence, of: id, error)]
        }
    }

    /// A cleared retained state is ignored: the bridge clears it when it renames a device.
    private mutating func deviceState(
        _ id: DeviceID, _ payload: [UInt8], _ isReplay: Bool
    ) -> [DeviceUpdate] {
        guard !payload.isEmpty else { return [] }
        var members: JSONObject
        do {
            members = try BridgePayload.object(payload)
        } catch {
            return [malformed(.state, of: id, error)]
        }
        let action = members.removeValue(forKey: "action")?.string ?? ""
        let detail = members.filter { $0.key.hasPrefix("action_") }
        // The `device` member of `include_device_information` is not part of the state.
        members = members.filter { $0.key != "device" && detail[$0.key] == nil }
        var updates: [DeviceUpdate] = []
        if !isReplay, devices[id]?.isSeen == false {
            devices[id]?.isSeen = true
            updates += devices[id].flatMap(presenceUpdate).map { [$0] } ?? []
        }
        if !isReplay { reported = ReportedState(device: id, members: members) }
        if !isReplay, !action.isEmpty {
            updates.append(Self.event(action, detail, of: id))
        }
        devices[id]?.merge(members)
        if let state = devices[id]?.state, !state.isEmpty {
            updates.append(DeviceUpdate(device: id, content: .state(StateReport(state))))
        }
        return updates
    }

    private static func event(
        _ action: String, _ detail: JSONObject, of id: DeviceID
    ) -> DeviceUpdate {
        let detail = detail.merging(["action": .string(action)]) { own, _ in own }
        return DeviceUpdate(
            device: id, content: .event(EventReport(.zigbeeAction, detail: detail)))
    }

    private mutating func malformed(
        _ part: DevicePart, of id: DeviceID, _ error: PayloadError
    ) -> DeviceUpdate {
        counters.malformedPayloads += 1
        return DeviceUpdate(device: id, content: .problem(part, "\(error)".brief()))
    }
}

extension EventName {
    /// A button was pressed or a knob turned; the detail `action` says which.
    static let zigbeeAction = literal("action")
}
