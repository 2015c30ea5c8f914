public import Connectivity
public import DeviceDomain
public import Logging
public import MQTTClient
internal import MQTTLink
internal import Synchronization

/// One connection to the MQTT broker of a zigbee2mqtt 2.x bridge, shared by the conversations with its
/// devices.
///
/// It lives on its event loop. It hears everything below the base topic, for names of devices may
/// have any number of levels, and keeps what it needs to say of whom a message speaks: the bridge's
/// list, states and presences.
///
/// The bridge confirms nothing. A command is delivered when the broker has it; its effect is what
/// the device says when it is asked with `/get` (see ``ReadBackTiming``), and a failure what the
/// bridge's log says of it. Where the device cannot be asked the effect stays unknown.
public actor ZigbeeChannel: CommunicationChannel {
    public nonisolated let kind = ChannelKind.zigbee2MQTT
    public nonisolated let traits: ChannelTraits = [.delivery, .effect, .order]
    /// A bridge publishes states only.
    public nonisolated let reportsTelemetry = false
    public nonisolated var id: ChannelID { configuration.id }
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// The loop that it lives on.
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let configuration: ZigbeeChannelConfiguration
    nonisolated let logger: Logger
    nonisolated let link: MQTTLink
    nonisolated let directory: CommandDirectory
    private nonisolated let lastTicket = Atomic(0)
    /// Takes what the link delivers, on the loop.
    private nonisolated let sink: MQTTSink

    var model: BridgeModel
    var outstanding: OutstandingCommands
    var observers: [Ticket: Observer] = [:]
    var conversations: [Ticket: Conversation] = [:]
    /// The wish for everything below the base topic, once somebody listens; it stays.
    private var wish: MQTTWish?

    /// A channel that connects when it is opened or observed.
    public init(
        _ configuration: ZigbeeChannelConfiguration, on eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.zigbee")
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
        model = BridgeModel(bridge: configuration.bridge, home: configuration.home)
        outstanding = OutstandingCommands(configuration.readBack)
        directory = CommandDirectory(bridge: configuration.bridge, base: configuration.base)
        link = MQTTLink(configuration.link, on: eventLoop, logger: logger)
        let receiver = Receiver()
        sink = MQTTSink { message in receiver.channel?.assumeIsolated { $0.received(message) } }
        receiver.channel = self
        link.observeStates { state in
            guard let channel = receiver.channel, let state else { return false }
            if case .lost = state { channel.assumeIsolated { $0.linkLost() } }
            return true
        }
    }

    /// What could not be used, and why.
    public var counters: ZigbeeCounters { model.counters }

    /// A name for one listener of this channel.
    nonisolated func makeTicket() -> Ticket {
        Ticket(number: lastTicket.add(1, ordering: .relaxed).newValue)
    }

    /// Runs `body` on the channel: at once for a caller on the loop, else soon and in the order of
    /// the calls. A caller may be on the loop without knowing it, after a call of this actor; what
    /// it does next would otherwise come first.
    nonisolated func perform(_ body: @escaping @Sendable (isolated ZigbeeChannel) -> Void) {
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
        outstanding.endAll()
        for conversation in conversations.values { conversation.source.finish() }
        observers = [:]
        conversations = [:]
    }

    /// The changes of the link; of a slow consumer's backlog the newest 16 are kept.
    public nonisolated func linkStates() -> LinkStates { link.linkStates() }

    /// The wish for everything that the bridge publishes.
    func hearing() -> MQTTWish {
        if let wish { return wish }
        do {
            let request = MQTTSubscriptionRequest(try configuration.base.everything())
            let wish = link.want([request], to: sink)
            self.wish = wish
            return wish
        } catch {
            preconditionFailure("the base topic was checked: \(error)")
        }
    }

    private func linkLost() {
        model.linkLost()
        outstanding.endAll()
    }
}

/// The channel that a sink delivers to.
///
/// Invariant: written once, before the link is used, and read on the event loop alone.
private final class Receiver: @unchecked Sendable {
    weak var channel: ZigbeeChannel?
}

/// Names one listener of a channel.
struct Ticket: Hashable, Sendable {
    let number: Int
}
