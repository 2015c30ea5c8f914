internal import Alink
internal import Basics
public import Connectivity
public import DeviceDomain
public import Logging

/// The devices of some products of Alibaba Cloud's IoT Platform, over its API and its server-side subscription.
///
/// The API lists devices, reads what they reported last and takes commands. The subscription tells what happens, one
/// message to one client of its consumer group: so nothing depends on it alone. What a command sets is also read back,
/// and everything is read again every few minutes; where the subscription does not work, every few seconds.
///
/// A command that may have reached the platform is never sent again.
public final class AlibabaChannel: ConversingChannel, Sendable {
    public let kind = ChannelKind.alibabaCloud
    public let traits: ChannelTraits = [.delivery, .acceptance, .effect]
    /// What devices report is their state.
    public let reportsTelemetry = false
    public var id: ChannelID { configuration.id }

    let configuration: AlibabaChannelConfiguration
    let logger: Logger
    let clock: any CommandClock
    package let listeners: ChannelListeners
    let hub: CloudHub
    let links = LinkAnnouncer()
    let lister: DeviceLister
    let connector: (any SubscriptionConnector)?
    let following = FollowingState()
    /// What runs until the channel is closed.
    let work = BackgroundWork()

    /// A channel that connects when it is opened or observed.
    public convenience init(
        _ configuration: AlibabaChannelConfiguration,
        logger: Logger = Logger(label: "homeport.alibaba")
    ) {
        self.init(
            configuration, transport: LazyHTTPSTransport(authority: configuration.authorityFile),
            connector: configuration.subscription.map {
                AMQPConnector(
                    host: $0.host, port: $0.port, authority: configuration.authorityFile)
            },
            clock: MachineClock(), logger: logger)
    }

    /// A channel over other ways than the machine's.
    init(
        _ configuration: AlibabaChannelConfiguration, transport: any PlatformTransport,
        connector: (any SubscriptionConnector)?, clock: any CommandClock,
        logger: Logger = Logger(label: "homeport.alibaba")
    ) {
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
        self.connector = connector
        listeners = ChannelListeners(of: configuration.id, in: configuration.home)
        hub = CloudHub(configuration.home, telling: listeners)
        lister = DeviceLister(
            configuration, PlatformClient(configuration.account, over: transport, clock: clock), hub
        )
    }

    var client: PlatformClient { lister.client }

    /// How much could not be used.
    var counters: CloudCounters { hub.counters }

    /// Lists the devices, where that was not done yet.
    public func open() async throws(CommunicationError) {
        guard !work.isClosed else { throw .channelClosed }
        guard !links.isConnected else { return }
        do {
            try await lister.list()
            // What was reported while calls failed.
            if links.isLost { following.wish() }
            links.api(is: .connected)
        } catch {
            let failure = CommunicationError(error)
            lost(failure, retryIn: nil)
            throw failure
        }
    }

    /// Calls of the API do not work.
    /// - Parameter pause: until they are tried again; `nil` where only ``open()`` tries again.
    func lost(_ failure: CommunicationError, retryIn pause: Duration?) {
        hub.linkLost()
        links.api(is: .lost(failure, retryIn: pause))
    }

    public func close() async {
        work.close()
        hub.close()
        listeners.finish()
        links.close()
    }

    public func linkStates() -> LinkStates { links.states() }

    // MARK: Observing

    /// Observes a part of the platform's home, beginning with what is known. Another home never sends anything.
    public func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        listeners.observation(of: home) { id in
            hub.observe(scope, id, sink)
            beginFollowing(after: configuration.timing.settling)
        }
    }

    /// Reads what the devices of an observed part reported last. The platform lists all its devices.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard listeners.isObserved(scope) else { throw .notObserved }
        try await open()
        guard let failure = await lister.readProperties(of: scope) else { return .complete }
        if failure.proof == .credentials { throw CommunicationError(failure) }
        return .incomplete("what some devices report could not be read: \(failure.text)")
    }

    // MARK: Conversing

    public func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        ChannelConversation(with: device, in: home, over: self)
    }

    /// Waits until the platform has listed its devices, and delivers a device's messages to a conversation.
    package func join(
        _ profile: DeviceProfile, _ id: ChannelListeners.ID,
        _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        try await open()
        guard hub.device(profile.id) != nil else {
            throw .away(
                "the platform does not list \(profile.id) among the devices of "
                    + configuration.products.joined(separator: ", "))
        }
        hub.join(profile.id, id, source)
        beginFollowing(after: .zero)
    }
}
