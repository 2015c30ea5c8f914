public import MQTTClient

/// The state of an ``MQTTLink``.
public enum MQTTLinkState: Sendable {
    /// The first attempt to connect is under way.
    case connecting
    /// Connected, and the broker has granted every filter.
    case connected
    /// Connected, but the broker refused these filters. The next connection requests them again.
    case limited([MQTTTopicFilter: MQTTReasonCode])
    /// Not connected; `retryIn` is the time until the next attempt, `nil` if there will be none.
    case lost(MQTTError, retryIn: Duration?)

    /// Whether messages can be published now.
    public var isConnected: Bool {
        switch self {
        case .connected, .limited: true
        case .connecting, .lost: false
        }
    }

    /// The filters that the broker refused; `nil` without a connection.
    var refused: [MQTTTopicFilter: MQTTReasonCode]? {
        switch self {
        case .connected: [:]
        case .limited(let refused): refused
        case .connecting, .lost: nil
        }
    }
}
