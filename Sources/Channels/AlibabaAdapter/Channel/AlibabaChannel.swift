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
public final class AlibabaChannel: CommunicationChannel, Sendable {
    public let kind = ChannelKind.alibabaCloud
    public let traits: ChannelTraits = [.delivery, .acceptance, .effect]
    /// What devices report is their state.
    public let reportsTelemetry = false
    public var id: ChannelID { configuration.id }

    let configuration: AlibabaChannelConfiguration
    let logger: Logger
    let clock: any ChannelClock
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
            clock: SystemChannelClock(), logger: logger)
    }

    /// A channel over other ways than the machine's.
    init(
        _ configuration: AlibabaChannelConfiguration, transport: any PlatformTransport,
        connector: (any SubscriptionConnector)?, clock: any ChannelClock,
        logger: Logger = Logger(label: "homeport.alibaba")
    ) {
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
        self.connector = connector
        hub = CloudHub(configuration.id, configuration.home)
        lister = DeviceLister(
            configuration, PlatformClient(configuration.account, over: transport, clock: clock), hub
        )
    }

    var client: PlatformClient { lister.client }

    /// How much could not be used.
    var counters: CloudCounters { hub.counters }

    /// Lists the devices, where that was not done yet.
    public func open() async throws(CommunicationError) {
        guard !links.isConnected else { return }
        do {
            try await lister.list()
            // What was reported while calls failed.
            if links.isLost { following.wish() }
            links.api(is: .connected)
        } catch {
            let failure = CommunicationError(error)
            links.api(is: .lost(failure, retryIn: nil))
            throw failure
        }
    }

    public func close() async {
        work.close()
        hub.close()
        links.close()
    }

    public func linkStates() -> LinkStates { links.states() }

    // MARK: Observing

    /// Observes a part of the platform's home, beginning with what is known. Another home never sends anything.
    public func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        guard home == configuration.home else { return ChannelObservation {} }
        let observer = hub.observe(scope, sink)
        beginFollowing(after: configuration.timing.settling)
        return ChannelObservation { [hub] in hub.endObserver(observer) }
    }

    /// Reads what the devices of an observed part reported last. The platform lists all its devices.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard hub.isObserved(scope) else {
            throw CommunicationError(
                .cannotExpress, "this part of the home is not observed", certainty: .neverLeft)
        }
        try await open()
        guard let failure = await lister.readProperties(of: scope) else { return .complete }
        if failure.proof == .credentials { throw CommunicationError(failure) }
        return .incomplete("what some devices report could not be read: \(failure.text)")
    }

    // MARK: Conversing

    public func service(for device: DeviceID, in home: HomeID) -> any CommunicationService {
        AlibabaAdapter(device, in: home, over: self)
    }

    /// - Throws: `cannotExpress` for a home that is not the platform's.
    func checkHome(_ home: HomeID) throws(CommunicationError) {
        guard home == configuration.home else {
            throw .cannotExpress(
                "the channel \(id) serves the home \(configuration.home), not \(home)")
        }
    }

    /// Delivers a device's messages to a conversation, beginning with what is known.
    func join(
        _ device: DeviceID, _ id: Int, _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        try await open()
        guard hub.device(device) != nil else {
            throw CommunicationError(
                .unreachable,
                "the platform does not list \(device) among the devices of "
                    + configuration.products.joined(separator: ", "),
                certainty: .neverLeft, isRetriable: true)
        }
        hub.join(device, id, source)
        beginFollowing(after: .zero)
    }
}

extension CommunicationError {
    /// The platform cannot express the intent.
    static func cannotExpress(_ message: String) -> CommunicationError {
        CommunicationError(.cannotExpress, message, certainty: .neverLeft)
    }
}
