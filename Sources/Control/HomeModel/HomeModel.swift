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
    /// What each channel reports of the devices that several channels know.
    var sharedDevices: [DeviceID: SharedDevice] = [:]
    /// Which ids name one device.
    public internal(set) var identities: DeviceIdentities
    /// The devices that the configuration wrongly joins with another one, each with what is wrong.
    var wrongRules: [DeviceID: String] = [:]
    /// What the user calls devices and rooms.
    public internal(set) var labels = HomeLabels()
    let preferences: ChannelPreferences
    var links: [ChannelID: LinkUse] = [:]

    /// - Parameters:
    ///   - preferences: the channels in their order, and which devices use which.
    ///   - same: other ids of devices, each with the id that people see.
    public init(
        _ home: HomeID, preferences: ChannelPreferences = ChannelPreferences(),
        same: [DeviceID: DeviceID] = [:]
    ) {
        self.home = home
        self.preferences = preferences
        identities = DeviceIdentities(channels: preferences.channels, same: same)
    }

    /// Every device in the order of their ids.
    public var allDevices: [KnownDevice] { devices.values.sorted { $0.id < $1.id } }

    /// The same of a part of the home, which costs what the part holds, not the home.
    func devices(in scope: HomeScope) -> [KnownDevice] {
        guard case .devices(let ids) = scope else { return allDevices }
        return ids.compactMap { devices[$0] }.sorted { $0.id < $1.id }
    }

    /// Applies an observation of a channel; observations of other homes are ignored.
    /// - Parameters:
    ///   - moment: when it was received (wire clock).
    ///   - elapsed: the same by a monotonic clock.
    /// - Returns: what changed.
    public mutating func apply(
        _ observation: DeviceObservation, at moment: Timestamp, elapsed: Duration = .zero
    ) -> [DeviceChange] {
        guard observation.home == home else { return [] }
        // With one channel every id is the device's own, unless the configuration says otherwise.
        guard preferences.channels.count > 1 || !identities.isPlain || !wrongRules.isEmpty else {
            return applyAlone(observation, at: moment)
        }
        return applyAmongOthers(observation, at: moment, elapsed: elapsed)
    }

    /// Applies an observation of a device that one channel knows.
    mutating func applyAlone(
        _ observation: DeviceObservation, at moment: Timestamp
    ) -> [DeviceChange] {
        guard let change = change(by: observation, at: moment) else { return [] }
        return [
            DeviceChange(device: observation.device, channel: observation.channel, content: change)
        ]
    }

    /// The link of a channel is lost: the reachability of its devices becomes unknown.
    /// - Parameters:
    ///   - moment: when it was lost (wire clock).
    ///   - elapsed: the same by a monotonic clock.
    /// - Returns: what changed.
    public mutating func linkLost(
        of channel: ChannelID, at moment: Timestamp, elapsed: Duration = .zero
    ) -> [DeviceChange] {
        links[channel] = .down
        var changes: [DeviceChange] = []
        for id in devices.keys.sorted()
        where devices[id]?.channel == channel && sharedDevices[id] == nil {
            devices[id]?.hearing.isOverLink = false
            guard devices[id]?.connection != .unknown else { continue }
            devices[id]?.connection = .unknown
            devices[id]?.beginPeriod(at: moment)
            changes.append(DeviceChange(device: id, channel: channel, content: .doubt))
        }
        return changes + loseWays(over: channel, at: moment, elapsed: elapsed)
    }

    /// Adds a device of an earlier run that has not reported yet.
    public mutating func remember(_ remembered: RememberedDevice) {
        guard remembered.profile.home == home else { return }
        if preferences.channels.count > 1 || !identities.isPlain {
            return rememberAmongOthers(remembered)
        }
        rememberAlone(remembered)
    }

    /// Adds a device of an earlier run that one channel knows.
    mutating func rememberAlone(_ remembered: RememberedDevice) {
        let id = remembered.profile.id
        devices[id] =
            (devices[id] ?? KnownDevice(id, in: home, on: remembered.channel, label(of: id)))
            .remembering(remembered, as: shared.sharing(remembered.profile))
    }

    /// What a device is known as on one channel, changed by an observation of it.
    mutating func change(
        _ report: inout KnownDevice, by observation: DeviceObservation, at moment: Timestamp
    ) -> DeviceChange.Content? {
        let former = devices[report.id]
        devices[report.id] = report
        let change = change(by: observation, at: moment)
        report =
            devices[report.id] ?? KnownDevice(report.id, in: home, on: observation.channel)
        devices[report.id] = former
        return change
    }

    /// Sets what is known of a device; `nil` removes it.
    mutating func set(_ device: KnownDevice?, at id: DeviceID) {
        var device = device
        device?.label = label(of: id)
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
        let label = devices[id]?.label ?? label(of: id)
        return Self.update(
            &devices[id, default: KnownDevice(id, in: home, on: channel, label)], &shared,
            by: observation, moment, body)
    }

    private static func update(
        _ device: inout KnownDevice, _ shared: inout SharedDescriptions,
        by observation: DeviceObservation, _ moment: Timestamp,
        _ body: (inout KnownDevice, inout SharedDescriptions) -> DeviceChange.Content?
    ) -> DeviceChange.Content? {
        device.channel = observation.channel
        device.heardAt = moment
        device.hearing.isOverLink = true
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
        if hearing.stateNames.admit(&newer.members, limit: limit) {
            hearing.stateNames.share(shared.sharing(hearing.stateNames.names))
        }
        problems[.state] = hearing.stateNames.problem(limit: limit)
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
        if hearing.telemetryNames.admit(&sample.values, limit: limit) {
            hearing.telemetryNames.share(shared.sharing(hearing.telemetryNames.names))
        }
        let problem = hearing.telemetryNames.problem(limit: limit)
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
