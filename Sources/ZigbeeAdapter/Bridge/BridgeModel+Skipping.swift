internal import Connectivity
internal import DeviceDomain

extension BridgeModel {
    /// A message was dropped unread because it was too large: reports a problem with the part of the
    /// bridge or device that it was about, or counts it if that is not known.
    mutating func skipped(_ topic: BridgeTopic, reason: String) -> [DeviceNews] {
        switch topic {
        case .state: return describeBridge() + [bridgeProblem(.presence, reason)]
        case .info: return describeBridge() + [bridgeProblem(.state, reason)]
        case .devices: return describeBridge() + [bridgeProblem(.description, reason)]
        case .entity(let text):
            guard let (id, part) = listedPart(FriendlyName(text)) else { break }
            counters.malformedPayloads += 1
            return [DeviceNews(device: id, content: .problem(part, reason))]
        case .event, .logging, .response, .foreign: break
        }
        counters.droppedMessages += 1
        return []
    }
}
