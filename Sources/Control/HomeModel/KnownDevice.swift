public import Connectivity
public import DeviceDomain

/// What is known about one device, and from which source.
public struct KnownDevice: Hashable, Sendable, Identifiable {
    /// The device.
    public let id: DeviceID
    /// Its home.
    public let home: HomeID
    /// The channel that last received a message of it.
    public internal(set) var channel: ChannelID
    /// When its last message was received (wire clock); `nil` for a device that is known only from
    /// an earlier run.
    public internal(set) var heardAt: Timestamp?
    /// What the user has said of it.
    public internal(set) var label: DeviceLabel
    /// What it is, and the source of that information.
    public internal(set) var identity = Identity.unknown
    /// Whether it can be reached; `unknown` also while the link to it is lost.
    public internal(set) var connection = ConnectionState.unknown
    /// Its last reported presence, whether or not it is still current.
    public internal(set) var presence: Presence?
    /// How it could be reached, the oldest period first and the present one last: the latest 16 that
    /// this process knows of. Empty until a message is received.
    public private(set) var presenceHistory: [PresencePeriod] = []
    /// Its newest state.
    public internal(set) var state: StateReport?
    /// Its latest sample.
    public internal(set) var telemetry: TelemetryReport?
    /// What is wrong with its messages, by the part that cannot be read.
    public internal(set) var problems: [DevicePart: String] = [:]

    /// The channels that lead to it; `nil` where only one knows it.
    public internal(set) var ways: DeviceWays?

    /// What counts for its channel.
    var hearing = Hearing()

    /// What is kept of a device for its channel alone.
    struct Hearing: Hashable {
        /// The names of the members of its states.
        var stateNames = HeardNames()
        /// The names of the values of its samples.
        var telemetryNames = HeardNames()
        /// Whether a message was received since the link was made.
        var isOverLink = false
        /// When an earlier run last received a message.
        var formerlyAt: Timestamp?
    }

    /// What a device is, and the source of that information.
    public enum Identity: Hashable, Sendable {
        /// No description was received.
        case unknown
        /// As the device described itself in an earlier run.
        case remembered(DeviceProfile)
        /// As the device describes itself.
        case described(DeviceProfile)
    }

    init(
        _ id: DeviceID, in home: HomeID, on channel: ChannelID,
        _ label: DeviceLabel = DeviceLabel()
    ) {
        self.id = id
        self.home = home
        self.channel = channel
        self.label = label
    }

    /// What the device is; `nil` without a description.
    public var profile: DeviceProfile? {
        switch identity {
        case .unknown: nil
        case .remembered(let profile), .described(let profile): profile
        }
    }

    /// What people call it: by the user, else by itself; its id where neither has named it.
    public var name: String {
        if let name = label.name { return name.text }
        guard let name = profile?.name, !name.isEmpty else { return id.text }
        return name
    }

    /// When an earlier run last received a message of it (wire clock), to about ten minutes; `nil` where
    /// that is not known.
    public internal(set) var formerlyHeardAt: Timestamp? {
        get { hearing.formerlyAt }
        set { hearing.formerlyAt = newValue }
    }

    /// What is wrong with the device's messages, as text; `nil` if nothing is.
    public var problem: String? {
        let known = DevicePart.allCases.compactMap { part in
            problems[part].map { "\(part.rawValue): \($0)" }
        }
        return known.isEmpty ? nil : known.joined(separator: "; ")
    }

    /// What the device last reported of itself.
    public var report: DeviceReport {
        DeviceReport(
            connection: connection, revision: state?.revision, state: state?.members ?? [:],
            telemetry: telemetry?.values)
    }

    /// The device itself, made by a factory; a ``GenericDevice`` where the factory knows neither
    /// model nor kind, or there is no description.
    public func device(madeBy factory: DeviceFactory = .standard) -> any Device {
        factory.makeDevice(
            profile: (profile ?? .undescribed(id, in: home)).named(label.name), report: report)
    }

    /// Begins a new period if the reachability differs from the present one.
    mutating func beginPeriod(at moment: Timestamp) {
        let present = presenceHistory.last?.connection ?? .unknown
        guard connection != present else { return }
        if presenceHistory.count == PresencePeriod.limit { presenceHistory.removeFirst() }
        presenceHistory.append(PresencePeriod(connection: connection, since: moment))
    }

    /// Whether a message of it was received since the link of its channel was made.
    var isHeardOverLink: Bool { hearing.isOverLink }

    /// Goes on with the history of the device as it was known before.
    mutating func keepHistory(of former: KnownDevice?) {
        if let former { presenceHistory = former.presenceHistory }
    }

    /// Whether no data is left, so that the device can be removed.
    var isEmpty: Bool {
        identity == .unknown && presence == nil && state == nil && problems.isEmpty
    }
}

/// How a device could be reached from some moment on.
public struct PresencePeriod: Hashable, Sendable {
    /// How many of them are kept of a device.
    static let limit = 16

    /// Whether it could be reached.
    public let connection: ConnectionState
    /// Since when, by the time of reception (wire clock).
    public let since: Timestamp
}
