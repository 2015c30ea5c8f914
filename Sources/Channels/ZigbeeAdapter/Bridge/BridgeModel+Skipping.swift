internal import Connectivity
internal import DeviceDomain

extension BridgeModel {
    /// A message was dropped unread because it was too large: reports a problem with the part of the
    /// bridge or device that it was about, or counts it if that is not known.
    mutating func skipped(_ topic: BridgeTopic, reason: String) -> [DeviceUpdate] {
        guard let updates = updates(ofSkipped: topic, reason) else {
            counters.droppedMessages += 1
            return []
        }
        counters.oversizedMessages += 1
        return updates
    }

    private mutating func updates(ofSkipped topic: BridgeTopic, _ reason: String) -> [DeviceUpdate]?
    {
        switch topic {
        case .state: describeBridge() + [bridgeProblem(.presence, reason)]
        case .info: describeBridge() + [bridgeProblem(.state, reason)]
        case .devices: describeBridge() + [bridgeProblem(.description, reason)]
        case .entity(let text):
            listedPart(FriendlyName(text)).map { id, part in
                [DeviceUpdate(device: id, content: .problem(part, reason))]
            }
        case .event, .logging, .response, .foreign: nil
        }
    }
}
