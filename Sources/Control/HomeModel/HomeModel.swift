public import Connectivity
public import DeviceDomain

/// What is known of a home, as a value: observations of any channel go in, changes come out.
///
/// It has no clock and no link. Retained messages that come again change nothing, an older state
/// never replaces a newer one, and a stale will is ignored.
public struct HomeModel: Sendable {
    /// The home.
    public let home: HomeID
    /// Every known device.
    public private(set) var devices: [DeviceID: KnownDevice] = [:]
    /// What descriptions share: most devices of a model have the same commands and capabilities, robots of
    /// a home the same floor, and these are the largest part of what is known of a device.
    private var shared = SharedDescriptions()
    private var recentEvents = RecentEvents()

    public init(_ home: HomeID) { self.home = home }

    /// Every device in the order of their ids.
    public var allDevices: [KnownDevice] { devices.values.sorted { $0.id < $1.id } }

    /// Applies an observation of a channel; observations of other homes are ignored.
    /// - Parameter moment: when it was received (wire clock).
    /// - Returns: what changed.
    public mutating func apply(
        _ observation: DeviceObservation, at moment: Timestamp
    ) -> [DeviceChange] {
        guard observation.home == home else { return [] }
        guard let change = change(by: observation, at: moment) else { return [] }
        return [
            DeviceChange(device: observation.device, channel: observation.channel, content: change)
        ]
    }

    /// The link of a channel is lost: the reachability of its devices becomes unknown.
    /// - Parameter moment: when it was lost (wire clock).
    /// - Returns: what changed.
    public mutating func linkLost(of channel: ChannelID, at moment: Timestamp) -> [DeviceChange] {
        var changes: [DeviceChange] = []
        for id in devices.keys.sorted() where devices[id]?.channel == channel {
            guard devices[id]?.connection != .unknown else { continue }
            devices[id]?.connection = .unknown
            devices[id]?.beginPeriod(at: moment)
            changes.append(DeviceChange(device: id, channel: channel, content: .doubt))
        }
        return changes
    }

    /// Adds a device of an earlier run that has not reported yet.
    public mutating func remember(_ remembered: RememberedDevice) {
        let id = remembered.profile.id
        guard remembered.profile.home == home else { return }
        var device = devices[id] ?? KnownDevice(id, in: home, on: remembered.channel)
        guard device.identity == .unknown else { return }
        device.identity = .remembered(shared.sharing(remembered.profile))
        device.formerlyHeardAt = remembered.heardAt
        devices[id] = device
    }

    // MARK: Parts

    private mutating func change(
        by observation: DeviceObservation, at moment: Timestamp
    ) -> DeviceChange.Content? {
        let id = observation.device
        switch observation.content {
        case .event(let event):
            devices[id]?.problems[.event] = nil
            return recentEvents.isNew(event) ? .event(event) : nil
        case .evidence(let evidence):
            devices[id]?.problems[.ack] = nil
            return .evidence(evidence)
        case .removed: return devices.removeValue(forKey: id) == nil ? nil : .removed
        case .cleared(let part): return clear(part, of: id, moment)
        case .description(let profile):
            let profile = shared.sharing(profile)
            return update(observation, moment) { device, _ in device.describe(as: profile) }
        case .presence(let presence):
            return update(observation, moment) { device, _ in device.apply(presence) }
        case .state(let state): return update(observation, moment) { $0.apply(state, &$1) }
        case .telemetry(let sample): return update(observation, moment) { $0.apply(sample, &$1) }
        case .problem(let part, let problem):
            return update(observation, moment) { device, _ in device.note(problem, of: part) }
        }
    }

    private mutating func update(
        _ observation: DeviceObservation, _ moment: Timestamp,
        _ body: (inout KnownDevice, inout SharedDescriptions) -> DeviceChange.Content?
    ) -> DeviceChange.Content? {
        let (id, home, channel) = (observation.device, home, observation.channel)
        return Self.update(
            &devices[id, default: KnownDevice(id, in: home, on: channel)], &shared,
            by: observation, moment, body)
    }

    private static func update(
        _ device: inout KnownDevice, _ shared: inout SharedDescriptions,
        by observation: DeviceObservation, _ moment: Timestamp,
        _ body: (inout KnownDevice, inout SharedDescriptions) -> DeviceChange.Content?
    ) -> DeviceChange.Content? {
        device.channel = observation.channel
        device.heardAt = moment
        defer { device.beginPeriod(at: moment) }
        return body(&device, &shared)
    }

    /// Clears one part of a device. A device without any remaining data is removed.
    private mutating func clear(
        _ part: DevicePart, of id: DeviceID, _ moment: Timestamp
    ) -> DeviceChange.Content? {
        guard var device = devices[id] else { return nil }
        device.clear(part)
        device.beginPeriod(at: moment)
        devices[id] = device.isEmpty ? nil : device
        if device.isEmpty { return .removed }
        return part == .presence ? .doubt : nil
    }
}

extension KnownDevice {
    fileprivate mutating func apply(_ presence: Presence) -> DeviceChange.Content? {
        problems[.presence] = nil
        let wasInDoubt = connection == .unknown
        guard connection.apply(presence), wasInDoubt || self.presence != presence else {
            return nil
        }
        self.presence = presence
        return .presence(presence)
    }

    fileprivate mutating func apply(
        _ newer: StateReport, _ shared: inout SharedDescriptions
    ) -> DeviceChange.Content? {
        var newer = newer
        let limit = HeardNames.limits.state
        if stateNames.admit(&newer.members, limit: limit) {
            stateNames.share(shared.sharing(stateNames.names))
        }
        problems[.state] = stateNames.problem(limit: limit)
        if let revision = newer.revision, let known = state?.revision, revision < known {
            return nil
        }
        guard state != newer else { return nil }
        state = newer
        return .state(newer)
    }

    fileprivate mutating func apply(
        _ sample: TelemetryReport, _ shared: inout SharedDescriptions
    ) -> DeviceChange.Content? {
        var sample = sample
        let limit = HeardNames.limits.telemetry
        if telemetryNames.admit(&sample.values, limit: limit) {
            telemetryNames.share(shared.sharing(telemetryNames.names))
        }
        let problem = telemetryNames.problem(limit: limit)
        if problem != nil || !problems.isEmpty { problems[.telemetry] = problem }
        // One that comes late is told, but it is not the newest.
        if !sample.isOlder(than: telemetry) { telemetry = sample }
        return .telemetry(sample)
    }

    fileprivate mutating func describe(as profile: DeviceProfile) -> DeviceChange.Content? {
        problems[.description] = nil
        guard identity != .described(profile) else { return nil }
        identity = .described(profile)
        return .description(profile)
    }

    fileprivate mutating func note(
        _ problem: String, of part: DevicePart
    ) -> DeviceChange.Content? {
        guard problems.updateValue(problem, forKey: part) != problem else { return nil }
        return .problem(part, problem)
    }

    fileprivate mutating func clear(_ part: DevicePart) {
        problems[part] = nil
        switch part {
        case .description: identity = .unknown
        case .presence:
            presence = nil
            connection = .unknown
        case .state: state = nil
        case .telemetry: telemetry = nil
        case .event, .ack: break
        }
    }
}

extension TelemetryReport {
    /// Whether the sample was taken before another one of the same start of the device.
    fileprivate func isOlder(than other: TelemetryReport?) -> Bool {
        guard let other, let boot, boot == other.boot, let n, let newest = other.n else {
            return false
        }
        return n < newest
    }
}
