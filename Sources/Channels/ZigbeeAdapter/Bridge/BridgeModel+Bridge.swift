internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

// Messages of the bridge about itself.
extension BridgeModel {
    mutating func bridgeState(_ payload: [UInt8]) -> [DeviceNews] {
        let former = status
        if payload.isEmpty {
            status = nil
            return [news(.cleared(.presence))] + (former == .online ? clearedPresences : [])
        }
        let new: PresenceReport.Status
        do {
            new = try BridgePayload.status(payload)
        } catch {
            return describeBridge() + [malformed(.presence, "bridge/state", error)]
        }
        status = new
        bridgeProblems[.presence] = nil
        let presence = describeBridge() + [news(.presence(Presence(new)))]
        switch new {
        case .online:
            let vouched = former == .online ? [] : sortedDevices.compactMap(presenceNews)
            return presence + vouched
        case .offline:
            let cleared = clearedPresences
            for id in devices.keys { devices[id]?.isSeen = false }
            return presence + cleared
        }
    }

    mutating func bridgeInfo(_ payload: [UInt8]) -> [DeviceNews] {
        guard !payload.isEmpty else { return [] }
        do {
            let info = BridgeInfo(try BridgePayload.object(payload, limits: BridgePayload.limits))
            self.info = info
            bridgeProblems[.state] = nil
            return describeBridge() + [news(.state(StateReport(info.state)))]
        } catch {
            return describeBridge() + [malformed(.state, "bridge/info", error)]
        }
    }

    mutating func bridgeEvent(_ payload: [UInt8]) -> [DeviceNews] {
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
        return describeBridge() + [news(.event(EventReport(name, detail: detail)))]
    }

    /// The bridge is a device from the first message that it sends.
    mutating func describeBridge() -> [DeviceNews] {
        let profile = (info ?? BridgeInfo()).profile(of: bridge, in: home)
        guard profile != bridgeProfile else { return [] }
        bridgeProfile = profile
        return [news(.description(profile))] + problemNews(.description)
    }

    private func problemNews(_ part: DevicePart) -> [DeviceNews] {
        bridgeProblems[part].map { [news(.problem(part, $0))] } ?? []
    }

    mutating func malformed(
        _ part: DevicePart, _ topic: String, _ error: PayloadError
    ) -> DeviceNews {
        counters.malformedPayloads += 1
        return bridgeProblem(part, "\(topic): \("\(error)".brief())")
    }

    /// Reports a problem with a part of the bridge until a valid message for the part comes.
    mutating func bridgeProblem(_ part: DevicePart, _ reason: String) -> DeviceNews {
        bridgeProblems[part] = reason
        return news(.problem(part, reason))
    }

    private func news(_ content: DeviceObservation.Content) -> DeviceNews {
        DeviceNews(device: bridge, content: content)
    }
}
