public import Connectivity
public import DeviceDomain

/// What is known of one device, and how it is known.
public struct KnownDevice: Hashable, Sendable, Identifiable {
    /// The device.
    public let id: DeviceID
    /// Its home.
    public let home: HomeID
    /// The channel that heard it last.
    public internal(set) var channel: ChannelID
    /// When it was heard last (wire clock); `nil` for a device that is only remembered.
    public internal(set) var heardAt: Timestamp?
    /// What it is, as far as anybody told.
    public internal(set) var identity = Identity.unknown
    /// Whether it can be reached; `unknown` also while the link to it is lost.
    public internal(set) var connection = ConnectionState.unknown
    /// Its presence as it was last heard, whether or not that still holds.
    public internal(set) var presence: Presence?
    /// How it could be reached, the oldest period first and the present one last: the latest 16 that
    /// this process knows of. Empty while nothing was heard.
    public private(set) var presenceHistory: [PresencePeriod] = []
    /// Its newest state.
    public internal(set) var state: StateReport?
    /// Its latest sample.
    public internal(set) var telemetry: TelemetryReport?
    /// What it says wrongly, by the part that cannot be read.
    public internal(set) var problems: [DevicePart: String] = [:]

    /// What a device is, and who says so.
    public enum Identity: Hashable, Sendable {
        /// Nobody told.
        case unknown
        /// As the device described itself in an earlier run.
        case remembered(DeviceProfile)
        /// As the device describes itself.
        case described(DeviceProfile)
    }

    init(_ id: DeviceID, in home: HomeID, on channel: ChannelID) {
        self.id = id
        self.home = home
        self.channel = channel
    }

    /// What the device is; `nil` where nobody told.
    public var profile: DeviceProfile? {
        switch identity {
        case .unknown: nil
        case .remembered(let profile), .described(let profile): profile
        }
    }

    /// What is wrong with what the device says, in words; `nil` where nothing is.
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
    /// model nor kind, or nobody told what the device is.
    public func device(madeBy factory: DeviceFactory = .standard) -> any Device {
        factory.makeDevice(profile: profile ?? .undescribed(id, in: home), report: report)
    }

    /// Begins a period if the device can be reached otherwise than in the present one.
    mutating func beginPeriod(at moment: Timestamp) {
        let present = presenceHistory.last?.connection ?? .unknown
        guard connection != present else { return }
        if presenceHistory.count == PresencePeriod.limit { presenceHistory.removeFirst() }
        presenceHistory.append(PresencePeriod(connection: connection, since: moment))
    }

    /// Whether nothing is left that anybody could want to know.
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
    /// Since when, as it was heard (wire clock).
    public let since: Timestamp
}
