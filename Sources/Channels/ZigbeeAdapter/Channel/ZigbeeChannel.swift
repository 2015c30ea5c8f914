public import Connectivity
public import DeviceDomain
public import Logging
public import MQTTClient
internal import MQTTLink

/// One connection to the MQTT broker of a zigbee2mqtt 2.x bridge, shared by the conversations with its
/// devices.
///
/// The actor runs on its event loop. It subscribes to everything below the base topic, because device
/// names may have any number of levels, and stores what it needs to attribute a message to a device: the
/// bridge's device list, states and presences.
///
/// The bridge confirms no commands. A command counts as delivered when the broker has it. Its effect is
/// read back from the device with `/get` (see ``ReadBackTiming``); a failure is taken from the bridge's
/// log. Where a device cannot be queried, a command ends as sent: all that may come is the bridge's own word.
public actor ZigbeeChannel: ConversingChannel {
    public nonisolated let kind = ChannelKind.zigbee2MQTT
    public nonisolated let traits: ChannelTraits = [.delivery, .effect, .order]
    /// A bridge publishes states only.
    public nonisolated let reportsTelemetry = false
    public nonisolated var id: ChannelID { configuration.id }
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// The loop that the channel runs on.
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let configuration: ZigbeeChannelConfiguration
    nonisolated let logger: Logger
    nonisolated let link: MQTTLink
    nonisolated let directory: CommandDirectory
    package nonisolated let listeners: ChannelListeners

    var model: BridgeModel
    var outstanding: OutstandingCommands
    /// Everything below the base topic, from the first listener until the channel is closed.
    private lazy var subscription = link.subscribe(to: [everything])

    /// A channel that connects when it is opened or observed.
    public init(
        _ configuration: ZigbeeChannelConfiguration, on eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.zigbee")
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
        listeners = ChannelListeners(of: configuration.id, in: configuration.home)
        model = BridgeModel(bridge: configuration.bridge, home: configuration.home)
        outstanding = OutstandingCommands(configuration.readBack)
        directory = CommandDirectory(bridge: configuration.bridge, base: configuration.base)
        link = MQTTLink(configuration.link, on: eventLoop, logger: logger)
        link.receive { [weak self] message in
            self?.assumeIsolated { $0.skipped(message) }
        } _: { [weak self] message in
            self?.assumeIsolated { $0.received(message) }
        }
        link.observeStates { [weak self] state in
            guard let self, let state else { return false }
            if case .lost = state { assumeIsolated { $0.linkLost() } }
            return true
        }
    }

    /// Counts of unusable messages by cause.
    public var counters: ZigbeeCounters { model.counters }

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
        outstanding.endAll()
        listeners.finish()
    }

    /// The link's state now and its changes. For a slow consumer the newest 16 are kept.
    public nonisolated func linkStates() -> LinkStates { link.linkStates() }

    /// Subscribes to everything that the bridge publishes, if that is not done yet.
    func startListening() { _ = subscription }

    /// Waits until the broker has granted that subscription.
    func waitUntilListening() async throws(MQTTError) {
        try await link.waitUntilGranted(subscription)
    }

    private nonisolated var everything: MQTTSubscriptionRequest {
        do {
            return MQTTSubscriptionRequest(try configuration.base.everything())
        } catch {
            preconditionFailure("the base topic was checked: \(error)")
        }
    }

    private func linkLost() {
        model.linkLost()
        outstanding.endAll()
    }
}
