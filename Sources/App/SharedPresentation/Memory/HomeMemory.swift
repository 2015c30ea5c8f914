public import DeviceControl
public import DeviceDomain
public import Observation

/// What is known of a home while the app runs. Every view model reads it; it hears every change while it
/// runs, begins with what is stored, and reads stored commands again where one has moved.
@MainActor @Observable
public final class HomeMemory {
    /// The home itself, for what is to be done.
    @ObservationIgnored public let service: any HomeService
    /// Whether what is stored was read, so that an empty home is really empty.
    public internal(set) var isRecalled = false
    /// The devices by their ids.
    public internal(set) var devices: [DeviceID: DeviceMemory] = [:]
    /// The rooms that the user has made, in the order of their names.
    public internal(set) var rooms: [GivenName] = []
    /// How the links of the channels stand.
    public internal(set) var links: [ChannelID: LinkStanding] = [:]
    /// Commands that wait for devices that are away, newest first.
    public internal(set) var waiting: [CommandRecord] = []
    /// Commands whose outcome is unknown, newest first.
    public internal(set) var undecided: [CommandRecord] = []
    /// What rules have told the user, newest first, at most ``ToldNotice/limit``.
    public internal(set) var told: [ToldNotice] = []
    /// Why what is stored cannot be read; `nil` where it can.
    public internal(set) var storageFailure: Failure?

    @ObservationIgnored let toReload: DevicesToReload
    @ObservationIgnored let sent: SentCommands

    /// A memory that knows nothing before ``run()``.
    public init(_ service: any HomeService) {
        self.service = service
        toReload = DevicesToReload()
        sent = SentCommands()
    }

    /// The devices in the order of their ids.
    public var allDevices: [DeviceMemory] { devices.values.sorted { $0.id < $1.id } }
}
