public import MQTTClient

/// Whether an ``MQTTLink`` works.
public enum MQTTLinkState: Sendable {
    /// Being set up for the first time.
    case connecting
    /// Connected, and every filter that is wanted is granted.
    case connected
    /// Connected, but the broker refused these filters; they are asked for again with the next
    /// connection.
    case limited([MQTTTopicFilter: MQTTReasonCode])
    /// Broken; `retryIn` is the time until the next attempt, `nil` where there will be none.
    case lost(MQTTError, retryIn: Duration?)

    /// Whether messages can be sent now.
    public var isConnected: Bool {
        switch self {
        case .connected, .limited: true
        case .connecting, .lost: false
        }
    }

    /// What the broker refused; `nil` without a connection.
    var refused: [MQTTTopicFilter: MQTTReasonCode]? {
        switch self {
        case .connected: [:]
        case .limited(let refused): refused
        case .connecting, .lost: nil
        }
    }
}
