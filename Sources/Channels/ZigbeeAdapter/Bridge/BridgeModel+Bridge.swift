internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

// Messages of the bridge about itself.
extension BridgeModel {
    mutating func bridgeState(_ payload: [UInt8]) -> [DeviceUpdate] {
        let former = status
        if payload.isEmpty {
            status = nil
            return [update(.cleared(.presence))] + (former == .online ? clearedPresences : [])
        }
        let new: PresenceReport.Status
        do {
            new = try BridgePayload.status(payload)
        } catch {
            return describeBridge() + [malformed(.presence, "bridge/state", error)]
        }
        status = new
        bridgeProblems[.presence] = nil
        let presence = describeBridge() + [update(.presence(Presence(new)))]
        switch new {
        case .online:
            let vouched = former == .online ? [] : sortedDevices.compactMap(presenceUpdate)
            return presence + vouched
        case .offline:
            let cleared = clearedPresences
            for id in devices.keys { devices[id]?.isSeen = false }
            return presence + cleared
        }
    }

    mutating func bridgeInfo(_ payload: [UInt8]) -> [DeviceUpdate] {
        guard !payload.isEmpty else { return [] }
        do {
            let info = BridgeInfo(try BridgePayload.object(payload, limits: BridgePayload.limits))
            self.info = info
            bridgeProblems[.state] = nil
            return describeBridge() + [update(.state(StateReport(info.state)))]
        } catch {
            return describeBridge() + [malformed(.state, "bridge/info", error)]
        }
    }

    mutating func bridgeEvent(_ payload: [UInt8]) -> [DeviceUpdate] {
        guard let members = try? BridgePayload.object(payload),
            let name = members["type"]?.string.flatMap({ EventName(rawValue: $0.hyphenated) })
        else {
            counters.malformedPayloads += 1
            return []
        }
        let data = members["data"]?.object ?? [:]
        let detail = data.filter {
            ["friendly_name", "ieee_address", "status"].contains($0.key) && $0.value.string != nil
        }
        return describeBridge() + [update(.event(EventReport(name, detail: detail)))]
    }

    /// The bridge is a device from the first message that it sends.
    mutating func describeBridge() -> [DeviceUpdate] {
        let profile = (info ?? BridgeInfo()).profile(of: bridge, in: home)
        guard profile != bridgeProfile else { return [] }
        bridgeProfile = profile
        return [update(.description(profile))] + problemUpdates(.description)
    }

    private func problemUpdates(_ part: DevicePart) -> [DeviceUpdate] {
        bridgeProblems[part].map { [update(.problem(part, $0))] } ?? []
    }

    mutating func malformed(
        _ part: DevicePart, _ topic: String, _ error: PayloadError
    ) -> DeviceUpdate {
        counters.malformedPayloads += 1
        return bridgeProblem(part, "\(topic): \("\(error)".brief())")
    }

    /// Reports a problem with a part of the bridge until a valid message for the part comes.
    mutating func bridgeProblem(_ part: DevicePart, _ reason: String) -> DeviceUpdate {
        bridgeProblems[part] = reason
        return update(.problem(part, reason))
    }

    private func update(_ content: DeviceObservation.Content) -> DeviceUpdate {
        DeviceUpdate(device: bridge, content: content)
    }
}
