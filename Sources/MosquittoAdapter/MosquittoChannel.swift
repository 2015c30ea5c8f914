public import Connectivity
public import DeviceDomain
internal import Glibc
public import Logging
public import MQTTClient
internal import Synchronization

/// One connection to an MQTT broker, shared by the conversations with any number of devices.
///
/// It lives on its event loop: connection, subscriptions and routing are touched by that thread
/// alone, and a message reaches its streams without a hop. A home takes at most eight filters,
/// however many devices it has. What a device sends wrongly is dropped, counted and never fatal.
public actor MosquittoChannel: CommunicationChannel {
    public nonisolated let kind = ChannelKind.mqtt
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// The loop that it lives on.
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let configuration: MosquittoChannelConfiguration
    nonisolated let logger: Logger
    nonisolated let wallClock: @Sendable () -> Timestamp
    private nonisolated let lastTicket = Atomic(0)

    /// What was dropped, and why.
    public internal(set) var counters = ChannelCounters()

    // The link
    var connection: MQTTConnection?
    var link = LinkState.connecting
    private var isClosed = false
    private var openers: [AnswerSlot<Result<Void, CommunicationError>>] = []

    // What is heard, and who hears it
    var homes: [HomeID: HomeRecord] = [:]
    var conversations: [DeviceAddress: [Ticket: StreamSource<IncomingMessage>]] = [:]
    var observers: [Ticket: Observer] = [:]
    var fences: [String: AnswerSlot<Bool>] = [:]
    private var linkSources: [Ticket: StreamSource<LinkState>] = [:]

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
    }

    /// A name for one stream of this channel.
    nonisolated func makeTicket() -> Ticket {
        Ticket(number: lastTicket.add(1, ordering: .relaxed).newValue)
    }

    /// Runs `body` on the channel, soon and in the order of the calls.
    nonisolated func perform(_ body: @escaping @Sendable (isolated MosquittoChannel) -> Void) {
        eventLoop.execute { [weak self] in
            self?.assumeIsolated { body($0) }
        }
    }
}

// MARK: Opening and closing

extension MosquittoChannel {
    /// Connects. The first attempt decides: it takes at most the configured timeout.
    public func open() async throws(CommunicationError) {
        guard !isClosed else { throw .channelClosed }
        guard !link.isConnected else { return }
        let slot = AnswerSlot<Result<Void, CommunicationError>>()
        openers.append(slot)
        startIfNeeded()
        try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Sends what is under way for at most two seconds, then disconnects and ends every stream.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        let slot = AnswerSlot<Bool>()
        if let connection {
            connection.close(drainingFor: .seconds(2)) { slot.resolve($0.isDisconnectSent) }
            _ = await slot.value(ifCancelled: false)
        }
        connection = nil
        link = .lost(.channelClosed, retryIn: nil)
        endOpeners(.failure(.channelClosed))
        endStreams()
    }

    /// Begins to connect unless that is done already.
    func startIfNeeded() {
        guard connection == nil, !isClosed else { return }
        do {
            var generator = SystemRandomNumberGenerator()
            let connection = MQTTConnection(
                configuration: try configuration.connection(using: &generator),
                eventLoop: eventLoop, owner: self
            ) { channel, event in
                channel.handle(event)
            }
            self.connection = connection
            announce(.connecting)
            connection.start()
        } catch {
            lost(CommunicationError(error), retryIn: nil)
        }
    }

    private func endOpeners(_ result: Result<Void, CommunicationError>) {
        for opener in openers { opener.resolve(result) }
        openers = []
    }

    private func endStreams() {
        for source in linkSources.values { source.finish() }
        for observer in observers.values { observer.source.finish() }
        for source in conversations.values.flatMap(\.values) { source.finish() }
        for fence in fences.values { fence.resolve(false) }
        linkSources = [:]
        observers = [:]
        conversations = [:]
        fences = [:]
    }
}

// MARK: The link

extension MosquittoChannel {
    private func handle(_ event: MQTTConnectionEvent) {
        switch event {
        case .connected: connected()
        case .message(let message): received(message)
        case .disconnected(let error, let delay):
            lost(CommunicationError(error), retryIn: delay)
        case .closed: break
        }
    }

    private func connected() {
        for home in homes.keys {
            guard let scope = homes[home]?.coverage.connected() else { continue }
            subscribe(to: home, scope)
        }
        announceIfReady()
    }

    /// Says that the link works once every subscription is answered.
    func announceIfReady() {
        guard connection?.isConnected == true, !link.isConnected,
            homes.values.allSatisfy({ $0.coverage.requested == nil })
        else { return }
        announce(.connected)
        endOpeners(.success(()))
    }

    private func lost(_ error: CommunicationError, retryIn delay: Duration?) {
        logger.debug("link lost", metadata: [LogKey.error: "\(error)"])
        for home in homes.keys {
            homes[home]?.disconnected(error)
        }
        announce(.lost(error, retryIn: delay))
        let isOpening = !openers.isEmpty
        endOpeners(.failure(error))
        if delay == nil {
            for observer in observers.values { observer.source.finish() }
            observers = [:]
        }
        if delay == nil || (isOpening && observers.isEmpty && conversations.isEmpty) {
            connection?.abort()
            connection = nil
        }
    }

    private func announce(_ state: LinkState) {
        link = state
        for source in linkSources.values { source.send(state) }
        for observer in observers.values { observer.source.send(.link(state)) }
    }

    /// The changes of the link; of a slow consumer's backlog the newest 16 are kept.
    public nonisolated func linkStates() -> LinkStates {
        let ticket = makeTicket()
        let (stream, source) = LinkStates.make(.dropOldest(limit: 16)) { [weak self] in
            self?.perform { $0.linkSources[ticket] = nil }
        }
        perform { channel in
            source.send(channel.link)
            if channel.isClosed { source.finish() } else { channel.linkSources[ticket] = source }
        }
        return stream
    }
}

/// Names one stream of a channel.
struct Ticket: Hashable, Sendable {
    let number: Int
}

/// Names a device across homes.
struct DeviceAddress: Hashable, Sendable {
    let home: HomeID
    let device: DeviceID
}

/// Somebody who watches a home.
struct Observer: Sendable {
    let home: HomeID
    /// The devices that are watched; all of them where it is empty.
    let devices: Set<DeviceID>
    let source: StreamSource<Observation>
}

extension Timestamp {
    /// The time of the system's real-time clock.
    public static func wallClock() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }
}
