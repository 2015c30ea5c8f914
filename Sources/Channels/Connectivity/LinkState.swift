/// Whether a channel's link works.
public enum LinkState: Sendable {
    /// Being set up for the first time.
    case connecting
    /// Connected, with every subscription active.
    case connected
    /// Connected, but the other end refused a subscription.
    case limited(CommunicationError)
    /// Lost; `retryIn` is the time until the next attempt, `nil` if there will be none.
    case lost(CommunicationError, retryIn: Duration?)

    /// Whether messages can be sent now.
    public var isConnected: Bool {
        switch self {
        case .connected, .limited: true
        case .connecting, .lost: false
        }
    }
}

/// The changes of a link, beginning with its present state.
public typealias LinkStates = BoundedStream<LinkState>
