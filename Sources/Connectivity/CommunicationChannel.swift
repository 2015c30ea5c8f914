public import DeviceDomain

/// The real link — one broker connection, one server socket — that conversations share.
public protocol CommunicationChannel: Sendable {
    /// What kind of link it is.
    var kind: ChannelKind { get }

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

    /// Gathers what is retained about devices of a home, and what telemetry came meanwhile.
    ///
    /// - Returns: a survey that says whether it is complete: it is not where the end of the
    ///   retained messages could not be told in time (5 s).
    func survey(_ home: HomeID, _ scope: SurveyScope) async throws(CommunicationError)
        -> HomeSurvey

    /// A live view of a home: every message of these devices (of all where the set is empty),
    /// retained ones first, and every change of the link. It ends when its consumer is cancelled,
    /// the channel is closed, or the link is lost for good.
    func observe(_ home: HomeID, devices: Set<DeviceID>) -> ObservationStream

    /// A new stream of the link's changes, beginning with its present state.
    func linkStates() -> LinkStates
}

/// Which devices a survey is about.
public enum SurveyScope: Hashable, Sendable {
    /// Every device of the home.
    case everyDevice
    /// One device only.
    case device(DeviceID)
}
