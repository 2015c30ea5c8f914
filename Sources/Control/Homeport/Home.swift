internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import HomeModel
internal import MQTTClient

/// A home: its devices, their changes, and commands with their outcomes.
///
/// It lists devices (``devices()``), reports changes (``changes(of:)``), sends commands (`send`,
/// which returns a ``CommandReceipt``) and tells their outcomes (``history(device:states:since:limit:)``, the
/// receipt). It works while it runs: use
/// ``withHome(_:at:ledger:_:)``, or put it into a `ServiceGroup`.
public final class Home: Sendable {
    /// Names the home.
    public let id: HomeID
    /// Who its commands come from.
    public let controller: ControllerID

    let configuration: HomeConfiguration
    let live: LiveHome
    let eventLoop: MQTTEventLoop
    package let lifetime: HomeLifetime
    package let observation: HomeObservation
    package let commands: CommandSending
    let historyStores: HistoryStores

    /// A home that does not run yet; nothing is connected or opened.
    /// - Throws: ``HomeError``: `configuration` without a channel or with two of one id; `failed` without a thread.
    public init(_ configuration: HomeConfiguration) throws(HomeError) {
        try configuration.validate()
        do {
            eventLoop = try configuration.eventLoop()
        } catch {
            throw HomeError(.failed, error.message)
        }
        self.configuration = configuration
        id = configuration.home
        controller = configuration.controller
        live = LiveHome(configuration.emptyModel) {
            configuration.clock.now.wall
        } elapsed: {
            configuration.clock.now.elapsed
        }
        lifetime = HomeLifetime(hasSharedLedger: configuration.ledger.isShared)
        historyStores = HistoryStores(of: configuration.ledger, in: lifetime)
        observation = try HomeObservation(
            configuration, into: live, on: eventLoop, in: lifetime)
        commands = CommandSending(
            adoption: CommandAdoption(
                controller: controller, observation: observation,
                deviceFactory: DeviceFactory.standard.adding(configuration.blueprints)))
    }

    /// The thread of the home's connections, for tasks that must not block: an answer wakes no other thread then.
    package var executor: MQTTLoopTaskExecutor { MQTTLoopTaskExecutor(eventLoop) }
}

extension HomeConfiguration {
    /// The thread of the connections, which homes of one instance share.
    fileprivate func eventLoop() throws(MQTTError) -> MQTTEventLoop {
        if let sharing { return sharing.eventLoop }
        return try MQTTEventLoop(label: "homeport", logger: logger)
    }

    /// - Throws: ``HomeError`` `configuration` where something of it does not fit.
    func validate() throws(HomeError) {
        guard !channels.isEmpty else {
            throw HomeError(.configuration, "the home \(home) has no channel; name one")
        }
        var seen: Set<ChannelID> = []
        for channel in channels where !seen.insert(channel.id).inserted {
            throw HomeError(
                .configuration, "two channels have the id \(channel.id); give each its own")
        }
        for channel in rules.flatMap(\.channels) where !seen.contains(channel) {
            throw HomeError(
                .configuration,
                "a rule names the channel \(channel), which is not there; the channels are "
                    + seen.map(\.text).sorted().joined(separator: ", "))
        }
        for (id, device) in aliases where id == device || aliases[device] != nil {
            throw HomeError(
                .configuration,
                "\(id) is given as another id of \(device), which is one itself or the same; give each other id "
                    + "with the id that people see")
        }
    }

    /// The model of a home of which nothing is known.
    fileprivate var emptyModel: HomeModel {
        HomeModel(
            home,
            preferences: ChannelPreferences(channels: channels.map(\.id), rules: rules),
            same: aliases)
    }
}
