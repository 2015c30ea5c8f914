internal import Alink
public import Connectivity
public import DeviceDomain
public import Logging
public import MQTTClient
internal import MQTTLink

/// One connection to the MQTT broker of devices with Alink firmware, shared by the conversations with them.
///
/// It is to these devices what the platform is: it answers what they post, sets their properties and calls their
/// services. The actor runs on its event loop, and stores what it has heard of each device.
///
/// A command counts as accepted when the device has replied, and a setting as done when the device has posted
/// the value since. Nothing can be read back, so without a post the outcome stays unknown. Nothing is sent twice:
/// Alink has no id by which a device recognises a command that comes again.
public actor AlinkChannel: ConversingChannel {
    public nonisolated let kind = ChannelKind.alink
    public nonisolated let traits: ChannelTraits = [.delivery, .acceptance, .effect]
    public nonisolated var id: ChannelID { configuration.id }
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        eventLoop.asUnownedSerialExecutor()
    }

    /// The loop that the channel runs on.
    public nonisolated let eventLoop: MQTTEventLoop
    nonisolated let configuration: AlinkChannelConfiguration
    nonisolated let logger: Logger
    nonisolated let link: MQTTLink
    nonisolated let directory = AlinkDirectory()
    package nonisolated let listeners: ChannelListeners

    var model: AlinkModel
    var calls = OutstandingCalls()
    /// How many connections were made.
    private(set) var connections = 0
    /// Everything of every device, from the first listener until the channel is closed.
    private lazy var subscription = link.subscribe(to: Self.everything)

    /// A channel that connects when it is opened or observed.
    public init(
        _ configuration: AlinkChannelConfiguration, on eventLoop: MQTTEventLoop,
        logger: Logger = Logger(label: "homeport.alink")
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
        listeners = ChannelListeners(of: configuration.id, in: configuration.home)
        model = AlinkModel(home: configuration.home, products: configuration.models.products)
        link = MQTTLink(configuration.link, on: eventLoop, logger: logger)
        link.receive { [weak self] message in
            self?.assumeIsolated { $0.skipped(message) }
        } _: { [weak self] message in
            self?.assumeIsolated { $0.received(message) }
        }
        link.observeStates { [weak self] state in
            guard let self, let state else { return false }
            assumeIsolated { $0.linkChanged(to: state) }
            return true
        }
    }

    /// Counts of unusable messages by cause.
    public var counters: AlinkCounters { model.counters }

    public func open() async throws(CommunicationError) {
        do {
            try await link.open()
        } catch {
            throw CommunicationError(error)
        }
    }

    /// The home that the devices belong to.
    package nonisolated var home: HomeID { configuration.home }

    /// How many devices the broker has told of, and how many of them are offline.
    package func deviceCounts() -> (all: Int, offline: Int) {
        let devices = model.devices
        return (devices.count, devices.keys.count { model.presence(of: $0) == .offline })
    }

    /// Finishes pending publishes for at most two seconds, then disconnects and ends every stream.
    public func close() async {
        await link.close()
        calls = OutstandingCalls()
        listeners.finish()
    }

    /// The link's state now and its changes. For a slow consumer the newest 16 are kept.
    public nonisolated func linkStates() -> LinkStates { link.linkStates() }

    private func linkChanged(to state: MQTTLinkState) {
        switch state {
        case .connecting: break
        case .connected, .limited:
            connections += 1
            expectStatuses()
        case .lost: model.linkLost()
        }
    }

    /// Subscribes to everything of every device, if that is not done yet.
    func startListening() { _ = subscription }

    /// Waits until the broker has granted that subscription.
    func waitUntilListening() async throws(MQTTError) {
        try await link.waitUntilGranted(subscription)
    }

    private static let everything = AlinkTopic.filters.map { text in
        do throws(MQTTError) {
            return MQTTSubscriptionRequest(try MQTTTopicFilter(text))
        } catch {
            preconditionFailure("the filters of Alink are valid: \(error)")
        }
    }
}
