public import DeviceDomain

/// The real link — one broker connection, one server socket — that conversations share.
///
/// Nothing above a channel knows its topics, payloads or sessions. A channel keeps no picture of a
/// home: what it hears goes to its observers, and they keep it.
public protocol CommunicationChannel: Sendable {
    /// Names the channel; two brokers are two channels.
    var id: ChannelID { get }
    /// What kind of link it is.
    var kind: ChannelKind { get }
    /// What it can honestly report and promise.
    var traits: ChannelTraits { get }
    /// Whether its devices send samples of telemetry. A channel has them unless it says otherwise.
    var reportsTelemetry: Bool { get }

    /// Sets the link up: when it returns, messages can be sent. Later losses are repaired by the
    /// channel itself.
    /// - Throws: ``CommunicationError`` when the link's own timeout has passed or a retry would be
    ///   useless.
    func open() async throws(CommunicationError)

    /// Sends what is under way, then takes the link down. Every stream ends.
    func close() async

    /// The conversation with one device. Making one costs nothing; it begins with
    /// ``CommunicationService/connect(to:)``.
    func service(for device: DeviceID, in home: HomeID) -> any CommunicationService

    /// Begins to hear a part of a home: what its devices say, retained messages included, goes to
    /// `sink` in order, across losses of the link, until the observation is cancelled or the
    /// channel is closed. It also begins to connect a channel that was never opened.
    func observe(_ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink)
        -> ChannelObservation

    /// Waits until what the devices of an observed part retain has gone to the observers.
    /// - Parameter known: the devices that were listed before, asked for where the channel cannot find
    ///   out by itself which devices there are.
    /// - Returns: whether all of it came for sure.
    /// - Throws: ``CommunicationError``: `notConnected` without a link, `notPermitted` where the
    ///   other end does not let us hear the part.
    func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness

    /// A new stream of the link's changes, beginning with its present state.
    func linkStates() -> LinkStates
}

extension CommunicationChannel {
    public var reportsTelemetry: Bool { true }
}

/// Whether all that devices retain was heard.
public enum ReplayCompleteness: Hashable, Sendable {
    /// All of it came.
    case complete
    /// All that could be asked for came, but a device may be missing, for this reason. Asking again
    /// does not help.
    case uncertain(String)
    /// Something is missing, for this reason.
    case incomplete(String)
}

/// Somebody's interest in a part of a home. It ends with ``cancel()``.
public struct ChannelObservation: Sendable {
    private let end: @Sendable () -> Void

    public init(onCancel end: @escaping @Sendable () -> Void) { self.end = end }

    /// Hears no more; the sink is not called again by what comes later.
    public func cancel() { end() }
}

extension CommunicationChannel {
    /// As ``replay(_:_:known:)``, where no device was listed before.
    public func replay(
        _ home: HomeID, _ scope: HomeScope
    ) async throws(CommunicationError) -> ReplayCompleteness {
        try await replay(home, scope) { [] }
    }
}
