public import Automation
public import Connectivity
public import DeviceDomain
public import Logging
internal import MQTTClient

/// What a home is made of: its channels, its ledger and the kinds of devices that it knows.
public struct HomeConfiguration: Sendable {
    /// The home.
    public var home: HomeID
    /// Names the owner of the ledger and of the acknowledgements.
    public var controller: ControllerID
    /// The channels; each has an id of its own.
    public var channels: [ChannelSetup]
    /// Which devices use which channel; the others use the one that heard them.
    public var rules: [ChannelRule]
    /// Other ids of devices, each with the id that people see: by them several channels know one device.
    public var aliases: [DeviceID: DeviceID] = [:]
    /// The URL of the broker that boxed devices are told to join; `nil` for the listener of devices of the broker
    /// that was exported last, else for the first channel's broker.
    public var deviceBroker: String?
    /// Where the home is, for rules of the sun; `nil` where nobody has said it.
    public var location: GeographicPlace?
    /// Where the ledger is stored.
    public var ledger: LedgerLocation
    /// Models and kinds beside those that the package knows.
    public var blueprints: [DeviceBlueprint]
    /// Whether commands that dead processes of this controller left open are taken over as soon as
    /// there is a connection, and later on.
    public var takesOverOpenCommands: Bool
    /// How long after that it is looked again whether another process has died. A person who has ended a
    /// `homeport send` notices a longer one.
    package var takeOverPause = Duration.seconds(5)
    /// The clocks of the home: a wall clock for what is written, a monotonic one for waits.
    public var clock: any CommandClock = MachineClock()
    /// The libraries' log.
    public var logger: Logger
    /// Whether the process ends with the home, which then leaves to the operating system what it
    /// does faster: the ledger's last synchronisation and the end of threads.
    package var endsWithProcess = false
    /// What the home shares with others that one instance drives; `nil` where it has all for itself.
    var sharing: HomeSharing?

    /// The home where none is named.
    package static let standardHome = HomeID.literal("home-1")
    /// The controller where none is named.
    public static let standardController = ControllerID.literal("homeport")

    public init(
        home: HomeID, controller: ControllerID = standardController, channels: [ChannelSetup],
        rules: [ChannelRule] = [], ledger: LedgerLocation = .standard,
        blueprints: [DeviceBlueprint] = [], takesOverOpenCommands: Bool = true,
        logger: Logger = Logger(label: "homeport")
    ) {
        self.home = home
        self.controller = controller
        self.channels = channels
        self.rules = rules
        self.ledger = ledger
        self.blueprints = blueprints
        self.takesOverOpenCommands = takesOverOpenCommands
        self.logger = logger
    }

    /// A home behind one broker.
    /// - Throws: ``HomeError`` `configuration` if the home or the broker's URL is not valid.
    public init(
        home: String, broker: String, ledger: LedgerLocation = .standard
    ) throws(HomeError) {
        do {
            let addresses = try MQTTBrokerAddress.cluster(urls: broker)
            var connection = BrokerConnection(addresses[0])
            connection.otherBrokers = Array(addresses.dropFirst())
            self.init(
                home: try HomeID(home), channels: [.homeportMQTT(connection)], ledger: ledger)
        } catch {
            throw HomeError(.configuration, "\(error)")
        }
    }
}
