internal import Basics
public import Connectivity
public import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
public import Logging
public import MQTTClient
internal import MQTTLink

/// One connection to an MQTT broker, shared by the conversations with any number of devices.
///
/// The actor runs on its event loop, so messages are parsed, counted and routed without a thread switch.
/// It stores no state of a home. A whole home is subscribed to by wildcards for presence, telemetry,
/// events and acks, and by filters for each device for description and state; a few devices are
/// subscribed to by their own filters only. Malformed messages are counted and reported to the
/// observers, and never fatal.
public actor MosquittoChannel: CommunicationChannel {
    public nonisolated let kind = ChannelKind.homeportMQTT
    public nonisolated let traits = Set(ChannelTrait.allCases)
    public nonisolated var id: ChannelID { configuration.id }
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// The loop that the channel runs on.
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let configuration: MosquittoChannelConfiguration
    nonisolated let logger: Logger
    nonisolated let wallClock: @Sendable () -> Timestamp
    nonisolated let link: MQTTLink

    /// Counts of dropped messages by cause.
    public internal(set) var counters = ChannelCounters()

    var observers: [ListenerID: Observer] = [:]
    var conversations: [DeviceAddress: [ListenerID: Conversation]] = [:]
    var queries: [CommandID: AnswerSlot<QueryAnswer>] = [:]
    /// What was received for those who read what the broker keeps on some topics.
    var keptReads: [ListenerID: KeptMessages] = [:]
    /// The devices of each observed home.
    var rosters: [HomeID: HomeRoster] = [:]
    var isObservingLink = false
    var knownTopics = KnownTopics()

    /// A channel that connects when it is opened or observed.
    /// - Parameter wallClock: the wire clock, for the time that a command has left until it expires.
    public init(
        _ configuration: MosquittoChannelConfiguration, on eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.mosquitto"),
        wallClock: @escaping @Sendable () -> Timestamp = Timestamp.wallClock
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
        self.wallClock = wallClock
        link = MQTTLink(configuration.link, on: eventLoop, logger: logger)
        link.receive { [weak self] message in
            self?.assumeIsolated { $0.skipped(message) }
        } _: { [weak self] message in
            self?.assumeIsolated { $0.received(message) }
        }
    }

    public func open() async throws(CommunicationError) {
        do {
            try await link.open()
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Finishes pending publishes for at most two seconds, then disconnects and ends every stream.
    public func close() async {
        await link.close()
        for conversation in conversations.values.flatMap({ $0.values }) {
            conversation.source.finish()
        }
        for query in queries.values { query.resolve(.failure(.closedWhileAsking)) }
        observers = [:]
        conversations = [:]
        queries = [:]
    }

    /// The link's state now and its changes. For a slow consumer the newest 16 are kept.
    public nonisolated func linkStates() -> LinkStates { link.linkStates() }
}

extension CommunicationError {
    /// The channel was closed while a task waited for an answer.
    static let closedWhileAsking = CommunicationError(
        .closed, "the channel was closed before the device answered")
}

/// Identifies a device across homes.
struct DeviceAddress: Hashable, Sendable {
    let home: HomeID
    let device: DeviceID
}

extension Timestamp {
    /// The time of the system's real-time clock.
    public static func wallClock() -> Timestamp { MachineClock.wallTime }
}
