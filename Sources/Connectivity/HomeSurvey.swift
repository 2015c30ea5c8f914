public import DeviceDomain
public import DeviceMessages

/// What is known about the devices of a home at one moment.
public struct HomeSurvey: Hashable, Sendable {
    /// The home.
    public let home: HomeID
    /// Every device of which anything was heard.
    public private(set) var devices: [DeviceID: SurveyedDevice]
    /// Whether every retained message has come for sure.
    public var isComplete: Bool

    public init(
        home: HomeID, devices: [DeviceID: SurveyedDevice] = [:], isComplete: Bool = false
    ) {
        self.home = home
        self.devices = devices
        self.isComplete = isComplete
    }

    /// Takes in a message of the home; other homes' messages and acknowledgements are ignored.
    public mutating func apply(_ message: IncomingMessage) {
        guard message.home == home else { return }
        devices[message.device, default: SurveyedDevice()].apply(message.content)
    }

    /// Takes in the devices of another survey of the home that are not known yet.
    public mutating func merge(_ other: HomeSurvey) {
        guard other.home == home else { return }
        devices.merge(other.devices) { known, _ in known }
    }

    /// One device with its last reports, made by a factory; a ``GenericDevice`` where the factory
    /// does not know the model or the device has not described itself. `nil` if nothing was heard
    /// of it.
    public func device(
        _ id: DeviceID, made factory: DeviceFactory = .standard
    ) -> (any Device)? {
        devices[id].map { $0.device(id, in: home, made: factory) }
    }

    /// Every device in the order of their ids.
    public func allDevices(made factory: DeviceFactory = .standard) -> [any Device] {
        devices.keys.sorted().compactMap { device($0, made: factory) }
    }
}

/// The last messages of one device.
public struct SurveyedDevice: Hashable, Sendable {
    /// What it is.
    public var description: DescriptionMessage?
    /// Its newest presence message that holds: an old will does not.
    public var presence: PresenceMessage?
    /// Its state of the highest revision.
    public var state: StateMessage?
    /// Its latest telemetry.
    public var telemetry: TelemetryMessage?

    public init(
        description: DescriptionMessage? = nil, presence: PresenceMessage? = nil,
        state: StateMessage? = nil, telemetry: TelemetryMessage? = nil
    ) {
        self.description = description
        self.presence = presence
        self.state = state
        self.telemetry = telemetry
    }

    /// Takes in something that the device said; events and acknowledgements leave no trace.
    public mutating func apply(_ content: IncomingMessage.Content) {
        switch content {
        case .description(let message): description = message
        case .presence(let message): apply(message)
        case .state(let message): apply(message)
        case .telemetry(let message): telemetry = message
        case .event, .ack: break
        }
    }

    private mutating func apply(_ message: PresenceMessage) {
        var connection = ConnectionState.unknown
        if let presence { connection.apply(presence.report) }
        if connection.apply(message.report) { presence = message }
    }

    private mutating func apply(_ message: StateMessage) {
        if let state, message.revision < state.revision { return }
        state = message
    }
}

extension SurveyedDevice {
    /// What the device last reported of itself.
    public var report: DeviceReport {
        var report = DeviceReport(telemetry: telemetry?.values)
        if let presence { report.connection.apply(presence.report) }
        if let state { report.apply(state: state.state, revision: state.revision) }
        return report
    }

    /// The device itself: see ``HomeSurvey/device(_:made:)``.
    public func device(
        _ id: DeviceID, in home: HomeID, made factory: DeviceFactory = .standard
    ) -> any Device {
        let profile = description?.profile(home: home) ?? .undescribed(id, in: home)
        do {
            return try factory.makeDevice(profile: profile, report: report)
        } catch {
            return GenericDevice(profile: profile, report: report)
        }
    }
}

extension DeviceProfile {
    /// A device that has not described itself: of no known kind, and without commands.
    public static func undescribed(_ id: DeviceID, in home: HomeID) -> DeviceProfile {
        DeviceProfile(
            id: id, home: home, kind: DeviceKind(rawValue: "unknown"),
            model: DeviceModel(rawValue: "unknown"), name: id.text, firmware: "",
            capabilities: [], commands: [])
    }
}
