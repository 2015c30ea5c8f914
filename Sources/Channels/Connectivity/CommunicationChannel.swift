public import DeviceDomain

/// The physical link, such as one broker connection or one server socket, that conversations share.
///
/// Nothing above a channel knows its topics, payloads or sessions. A channel keeps no model of a
/// home: it passes what it receives to its observers.
public protocol CommunicationChannel: Sendable {
    /// Names the channel; two brokers are two channels.
    var id: ChannelID { get }
    /// What kind of link it is.
    var kind: ChannelKind { get }
    /// What it can report and guarantee.
    var traits: ChannelTraits { get }
    /// Whether its devices send samples of telemetry. The default is `true`.
    var reportsTelemetry: Bool { get }

    /// Sets the link up: when it returns, messages can be sent. Later losses are repaired by the
    /// channel itself.
    /// - Throws: ``CommunicationError`` when the link's own timeout has passed or a retry would be
    ///   useless.
    func open() async throws(CommunicationError)

    /// Completes pending sends, then closes the link. Every stream ends.
    func close() async

    /// The conversation with one device. Creating one is cheap; it begins with
    /// ``CommunicationService/connect(to:)``.
    func service(for device: DeviceID, in home: HomeID) -> any CommunicationService

    /// Observes a part of a home: messages of its devices, retained ones included, go to `sink` in
    /// order, across losses of the link, until the observation is cancelled or the channel is
    /// closed. A channel that was never opened begins to connect.
    func observe(_ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink)
        -> ChannelObservation

    /// Waits until the observers have received the retained messages of an observed part.
    /// - Parameter known: the devices that were listed before, asked for where the channel cannot
    ///   find
    ///   out by itself which devices there are.
    /// - Returns: whether all of them certainly arrived.
    /// - Throws: ``CommunicationError``: `notConnected` without a link, `notPermitted` where the
    ///   other end does not let us hear the part.
    func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness

    /// Removes what the other end keeps of a device, so that no later reader hears of it. A device that
    /// speaks again is there again. The default is for a channel whose other end keeps its devices itself.
    /// - Throws: ``CommunicationError``: `notConnected` without a link, `notPermitted` where the other end
    ///   keeps some of it all the same, `cannotExpress` where it must be done there.
    func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError)

    /// A new stream of the link's changes, beginning with its present state.
    func linkStates() -> LinkStates
}

extension CommunicationChannel {
    public var reportsTelemetry: Bool { true }

    public func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError) {
        throw CommunicationError(
            .cannotExpress,
            "the other end of the channel \(id) keeps its devices itself; remove \(device) there",
            certainty: .neverLeft)
    }
}

/// Whether all retained messages were received.
public enum ReplayCompleteness: Hashable, Sendable {
    /// All of them were received.
    case complete
    /// All that could be requested were received, but a device may be missing, for this reason. A
    /// retry does not help.
    case uncertain(String)
    /// Something is missing, for this reason.
    case incomplete(String)
}

/// The observation of a part of a home. It ends with ``cancel()``.
public struct ChannelObservation: Sendable {
    private let end: @Sendable () -> Void

    public init(onCancel end: @escaping @Sendable () -> Void) { self.end = end }

    /// Ends the observation. Messages that the channel has already received may still reach the sink.
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
