public import Connectivity
public import DeviceDomain
internal import DeviceMessages
internal import DeviceTopics
internal import Glibc
public import Logging
public import MQTTClient
internal import MQTTLink
internal import Synchronization

/// One connection to an MQTT broker, shared by the conversations with any number of devices.
///
/// It lives on its event loop: what comes is read, counted and routed by that thread alone, without
/// a hop. It keeps no picture of a home. Presence, telemetry, events and acks of a whole home come by
/// wildcards, description and state by filters of each device; a reader of a few devices takes
/// theirs alone. What a device sends wrongly is counted, told to the observers, and never fatal.
public actor MosquittoChannel: CommunicationChannel {
    public nonisolated let kind = ChannelKind.homeportMQTT
    public nonisolated let traits = Set(ChannelTrait.allCases)
    public nonisolated var id: ChannelID { configuration.id }
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// The loop that it lives on.
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let configuration: MosquittoChannelConfiguration
    nonisolated let logger: Logger
    nonisolated let wallClock: @Sendable () -> Timestamp
    nonisolated let link: MQTTLink
    private nonisolated let lastTicket = Atomic(0)

    /// What was dropped, and why.
    public internal(set) var counters = ChannelCounters()

    /// Takes what the link delivers, on the loop.
    nonisolated let sink: MQTTSink
    var observers: [Ticket: Observer] = [:]
    var conversations: [DeviceAddress: [Ticket: Conversation]] = [:]
    var questions: [CommandID: AnswerSlot<Answer>] = [:]
    /// What was heard of each home that somebody observes.
    var rolls: [HomeID: HomeRoll] = [:]
    var isWatchingLink = false
    var knownTopics = KnownTopics()

    /// A channel that connects when it is opened or observed.
    /// - Parameter wallClock: the wire clock, from which the time left to a command is computed.
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
        let receiver = Receiver()
        sink = MQTTSink(
            skip: { message in receiver.channel?.assumeIsolated { $0.skipped(message) } },
            deliver: { message in receiver.channel?.assumeIsolated { $0.received(message) } })
        receiver.channel = self
    }

    /// A name for one listener of this channel.
    nonisolated func makeTicket() -> Ticket {
        Ticket(number: lastTicket.add(1, ordering: .relaxed).newValue)
    }

    /// Runs `body` on the channel: at once for a caller on the loop, whose next call would overtake it
    /// else; soon and in the order of the calls for others.
    nonisolated func perform(_ body: @escaping @Sendable (isolated MosquittoChannel) -> Void) {
        guard !eventLoop.isCurrent else { return assumeIsolated { body($0) } }
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { body($0) }
        }
    }

    public func open() async throws(CommunicationError) {
        do {
            try await link.open()
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Sends what is under way for at most two seconds, then disconnects and ends every stream.
    public func close() async {
        await link.close()
        for conversation in conversations.values.flatMap(\.values) { conversation.source.finish() }
        for question in questions.values { question.resolve(.failure(.channelClosed)) }
        observers = [:]
        conversations = [:]
        questions = [:]
    }

    /// The changes of the link; of a slow consumer's backlog the newest 16 are kept.
    public nonisolated func linkStates() -> LinkStates { link.linkStates() }
}

/// The channel that a sink delivers to.
///
/// Invariant: written once, before the link is used, and read on the event loop alone.
private final class Receiver: @unchecked Sendable {
    weak var channel: MosquittoChannel?
}

extension CommunicationError {
    /// The channel was closed while somebody waited for an answer.
    static let channelClosed = CommunicationError(
        .closed, "the channel was closed before the device answered")
}

/// Names one listener of a channel.
struct Ticket: Hashable, Sendable {
    let number: Int
}

/// Names a device across homes.
struct DeviceAddress: Hashable, Sendable {
    let home: HomeID
    let device: DeviceID
}

extension Timestamp {
    /// The time of the system's real-time clock.
    public static func wallClock() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }
}
