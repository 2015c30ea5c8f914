/// Whether a channel's link works.
public enum LinkState: Sendable {
    /// Being set up for the first time.
    case connecting
    /// Connected, and every subscription is in place.
    case connected
    /// Broken; `retryIn` is the time until the next attempt, `nil` where there will be none.
    case lost(CommunicationError, retryIn: Duration?)

    /// Whether messages can be sent now.
    public var isConnected: Bool { if case .connected = self { true } else { false } }
}

/// The changes of a link, beginning with its present state.
public typealias LinkStates = BoundedStream<LinkState>

/// One thing that a live view shows.
public enum Observation: Sendable {
    /// A device said something.
    case message(IncomingMessage)
    /// The link changed.
    case link(LinkState)
}

/// A live view.
public typealias ObservationStream = BoundedStream<Observation>
