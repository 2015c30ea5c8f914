public import DeviceDomain

/// Which ids of a home name one device: as its configuration says, and by serial numbers that two channels
/// report.
///
/// The id that people see is the one that the configuration gives, else that on the channel that comes first in
/// it. It does not depend on which channels are up.
public struct DeviceIdentities: Hashable, Sendable {
    /// Two ids turned out to name one device, or not to.
    public enum Finding: Hashable, Sendable {
        /// What was known as `other` is `device`.
        case same(other: DeviceID, device: DeviceID)
        /// The serial number of `device` is not its own: what was known as one device is several.
        case different(device: DeviceID)
        /// The configuration joins two devices of one channel: what was known as one device is several.
        case contradicted(Contradiction)
    }

    /// Ids that the configuration gives to one device, although two of them are devices of one channel.
    public struct Contradiction: Hashable, Sendable {
        /// The id that people saw.
        public let device: DeviceID
        /// The channel that has both.
        public let channel: ChannelID
        /// The devices of that channel, in the order of their ids.
        public let ids: [DeviceID]
        /// The id of each channel that was heard until then.
        public let locals: [ChannelID: DeviceID]

        /// What is wrong.
        public var fact: String {
            "same-as of the configuration file joins \(ids.map(\.text).joined(separator: " and ")), "
                + "which are two devices of the channel \(channel), so it is not applied"
        }

        /// What to do.
        public var remedy: String {
            "name under same-as the ids that the same device has on other channels, and no other device "
                + "of one channel"
        }

        /// What is wrong, and what to do.
        public var text: String { "\(fact); \(remedy)" }
    }

    /// A device as one channel reports it.
    private struct Report: Hashable {
        let channel: ChannelID
        let id: DeviceID
    }

    private let order: [ChannelID]
    private var configured: [DeviceID: DeviceID]
    private var reports: [String: Set<Report>] = [:]
    private var learned: [DeviceID: DeviceID] = [:]
    /// The ids by which channels know devices.
    private var locals: [DeviceID: [ChannelID: DeviceID]] = [:]
    private var names: [DeviceID: Set<DeviceID>]
    /// What was heard in this run: what is known from an earlier one may have another id by now.
    private var heard: Set<Report> = []

    /// - Parameters:
    ///   - channels: in the order of the configuration.
    ///   - same: other ids of devices, each with the id that people see.
    public init(channels: [ChannelID] = [], same: [DeviceID: DeviceID] = [:]) {
        order = channels
        configured = same
        names = Dictionary(grouping: same.keys, by: { same[$0] ?? $0 })
            .reduce(into: [:]) { $0[$1.key] = Set($1.value).union([$1.key]) }
    }

    /// Whether every id names a device of its own, as far as is known.
    public var isPlain: Bool { configured.isEmpty && learned.isEmpty }

    /// The device that an id names.
    public func device(_ id: DeviceID) -> DeviceID {
        let device = configured[id] ?? id
        return learned[device] ?? device
    }

    /// Every id of a device.
    public func ids(of device: DeviceID) -> Set<DeviceID> { names[device] ?? [device] }

    /// The id by which a channel knows a device. Where the channel has not reported it, it is one that no other
    /// channel uses.
    public func id(of device: DeviceID, on channel: ChannelID) -> DeviceID {
        guard let names = names[self.device(device)] else { return device }
        let known = locals[self.device(device)] ?? [:]
        if let id = known[channel] { return id }
        let elsewhere = Set(known.values)
        return names.sorted().first { !elsewhere.contains($0) } ?? device
    }

    /// Takes note of a channel that knows a device by an id.
    /// - Parameter isHeard: whether the channel has said so in this run.
    /// - Returns: what is wrong with the configuration, if that shows now.
    @discardableResult
    public mutating func note(
        _ id: DeviceID, on channel: ChannelID, isHeard: Bool = true
    ) -> Contradiction? {
        let device = device(id)
        guard let names = names[device] else { return nil }
        let isNew = isHeard && heard.insert(Report(channel: channel, id: id)).inserted
        let other = locals[device]?[channel]
        guard other != id else { return nil }
        if let other, isNew, heard.contains(Report(channel: channel, id: other)),
            names.contains(where: { configured[$0] != nil })
        {
            return separate(device, Set([id, other]), on: channel)
        }
        locals[device, default: [:]][channel] = id
        return nil
    }

    /// A device has left a channel: it may come back there by another id.
    public mutating func leave(_ id: DeviceID, _ channel: ChannelID) {
        heard.remove(Report(channel: channel, id: id))
        if locals[device(id)]?[channel] == id { locals[device(id)]?[channel] = nil }
    }

    /// The configuration says nothing of a device any more, because it is wrong.
    private mutating func separate(
        _ device: DeviceID, _ ids: Set<DeviceID>, on channel: ChannelID
    ) -> Contradiction {
        let contradiction = Contradiction(
            device: device, channel: channel, ids: ids.sorted(), locals: locals[device] ?? [:])
        for id in names[device] ?? [] { configured[id] = nil }
        let others = learned.keys.filter { learned[$0] == device }
        names[device] = others.isEmpty ? nil : Set(others).union([device])
        locals[device] = nil
        return contradiction
    }

    /// Takes in how a device describes itself on a channel.
    /// - Parameters:
    ///   - profile: with the id that the channel knows it by.
    ///   - isHeard: whether it has done so in this run.
    /// - Returns: what follows for the ids; `nil` for nothing new.
    public mutating func learn(
        _ profile: DeviceProfile, on channel: ChannelID, isHeard: Bool = true
    ) -> Finding? {
        if let contradiction = note(profile.id, on: channel, isHeard: isHeard) {
            return .contradicted(contradiction)
        }
        guard let serial = profile.serial, !serial.isEmpty else { return nil }
        let report = Report(channel: channel, id: profile.id)
        guard reports[serial, default: []].insert(report).inserted else { return nil }
        let all = reports[serial] ?? []
        // Two devices of one channel have this number, so it tells nothing.
        guard Set(all.map(\.channel)).count == all.count else { return forget(all) }
        return unite(all)
    }

    private mutating func unite(_ reports: Set<Report>) -> Finding? {
        let ordered = reports.sorted { place(of: $0) < place(of: $1) }
        let devices = ordered.map { device($0.id) }
        // The configuration decides about ids that it names.
        let named = devices.first { names[$0] != nil && configured.values.contains($0) }
        guard let device = named ?? ordered.first.map({ self.device($0.id) }) else { return nil }
        var finding: Finding?
        for report in ordered {
            let other = self.device(report.id)
            guard other != device, !configured.values.contains(other) else { continue }
            learned[other] = device
            for (id, target) in learned where target == other { learned[id] = device }
            names[device, default: [device]].formUnion(names.removeValue(forKey: other) ?? [other])
            finding = .same(other: other, device: device)
        }
        for report in ordered where self.device(report.id) == device {
            note(report.id, on: report.channel)
        }
        return finding
    }

    private mutating func forget(_ reports: Set<Report>) -> Finding? {
        let others = Set(reports.map(\.id)).filter { learned[$0] != nil }
        guard let device = others.first.map(device) else { return nil }
        for id in others {
            learned[id] = nil
            names[device]?.remove(id)
        }
        if names[device] == [device] { names[device] = nil }
        locals[device] = nil
        return .different(device: device)
    }

    private func place(of report: Report) -> (Int, DeviceID) {
        (order.firstIndex(of: report.channel) ?? .max, report.id)
    }
}
