internal import Basics
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
    let stations: [ChannelStation]
    let factory: CommunicationStrategyFactory
    let deviceFactory: DeviceFactory
    let eventLoop: MQTTEventLoop

    let phase = Guarded(Phase.idle)
    let stop = FutureValue<Void>()
    /// The ledger as it was opened.
    let ledger = FutureValue<Result<Control, HomeError>>()
    /// The same once its invoker works.
    let opened = FutureValue<Result<Control, HomeError>>()
    let hearings = Guarded<[ChannelID: Hearing]>([:])
    /// The channels that did not open in time and have not connected since, with the reason.
    let unopened = Guarded<[ChannelID: CommunicationError]>([:])

    /// A home that does not run yet; nothing is connected or opened.
    /// - Throws: ``HomeError`` `configuration` if there is no channel, or two have one id; `failed`
    ///   if the system gives no thread.
    public init(_ configuration: HomeConfiguration) throws(HomeError) {
        try configuration.validate()
        do {
            eventLoop = try MQTTEventLoop(label: "homeport", logger: configuration.logger)
        } catch {
            throw HomeError(.failed, error.message)
        }
        self.configuration = configuration
        id = configuration.home
        controller = configuration.controller
        live = LiveHome(configuration.home) { MachineClock.wallTime }
        let context = ChannelContext(
            home: id, controller: controller, eventLoop: eventLoop, logger: configuration.logger)
        stations = try configuration.channels.map { setup throws(HomeError) in
            ChannelStation(setup: setup, channel: try setup.make(context))
        }
        factory = CommunicationStrategyFactory(
            channels: stations.map(\.channel), rules: configuration.rules)
        deviceFactory = DeviceFactory.standard.adding(configuration.blueprints)
    }

    /// Lets tasks prefer the thread of the home's connections, so that an answer wakes no other
    /// thread. Such tasks must not block.
    package var executor: MQTTLoopTaskExecutor { MQTTLoopTaskExecutor(eventLoop) }
}

/// A channel of a home, and where it came from.
struct ChannelStation: Sendable {
    let setup: ChannelSetup
    let channel: any CommunicationChannel
}

/// Which part of a home is observed over one channel.
struct Hearing: Sendable {
    /// The part that is observed.
    var scope: HomeScope
    /// End the observation.
    var observations: [ChannelObservation]
    /// The part whose retained messages have all arrived since the link was made.
    var replayed: HomeScope?
    /// Why a device may be missing all the same.
    var doubt: String?
}

/// Whether a home was run, runs or has ended.
enum Phase: Hashable, Sendable {
    /// It was never run.
    case idle
    /// It runs.
    case running
    /// It has ended; it does not run again.
    case ended
}

extension HomeConfiguration {
    fileprivate func validate() throws(HomeError) {
        guard !channels.isEmpty else {
            throw HomeError(.configuration, "the home \(home) has no channel; name one")
        }
        var seen: Set<ChannelID> = []
        for channel in channels where !seen.insert(channel.id).inserted {
            throw HomeError(
                .configuration, "two channels have the id \(channel.id); give each its own")
        }
        for rule in rules where !seen.contains(rule.channel) {
            throw HomeError(
                .configuration,
                "a rule names the channel \(rule.channel), which is not there; the channels are "
                    + seen.map(\.text).sorted().joined(separator: ", "))
        }
    }
}
