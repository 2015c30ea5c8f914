internal import Connectivity
internal import DeviceDomain

extension BridgeModel {
    /// A message was dropped unread because it was too large: reports a problem with the part of the
    /// bridge or device that it was about, or counts it if that is not known.
    mutating func skipped(_ topic: BridgeTopic, reason: String) -> [DeviceNews] {
        guard let news = news(ofSkipped: topic, reason) else {
            counters.droppedMessages += 1
            return []
        }
        counters.oversizedMessages += 1
        return news
    }

    private mutating func news(ofSkipped topic: BridgeTopic, _ reason: String) -> [DeviceNews]? {
        switch topic {
        case .state: describeBridge() + [bridgeProblem(.presence, reason)]
        case .info: describeBridge() + [bridgeProblem(.state, reason)]
        case .devices: describeBridge() + [bridgeProblem(.description, reason)]
        case .entity(let text):
            listedPart(FriendlyName(text)).map { id, part in
                [DeviceNews(device: id, content: .problem(part, reason))]
            }
        case .event, .logging, .response, .foreign: nil
        }
    }
}
