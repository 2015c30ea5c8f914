internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import HomeModel
public import SharedPresentation

/// What is shown of one device.
public struct DeviceContent: Hashable, Sendable {
    /// What a list shows of it.
    public let summary: DeviceSummary
    /// How old what is shown is.
    public let freshness: Freshness
    /// The version of its firmware; `nil` if it has not said.
    public let firmware: String?
    /// Names the channel over which it is reached.
    public let channel: ChannelID
    /// When its latest sample was taken, by its own clock; `nil` for none since the app has started.
    public let sampledAt: Timestamp?
    /// What it consists of, by its capabilities.
    public let sections: [DeviceSection]
    /// What it was told, newest first.
    public let commands: [CommandSummary]

    @MainActor
    init(_ device: DeviceMemory) {
        let profile = device.known.profile
        summary = device.summary
        freshness = device.freshness
        firmware = profile.flatMap { $0.firmware.isEmpty ? nil : $0.firmware }
        channel = device.channel
        sampledAt = device.sampledAt
        sections = DeviceSection.all(of: device)
        commands = device.commands.map {
            CommandSummary(
                $0, to: device.name, by: profile?.specification(of: $0.intent.name),
                in: profile?.plan)
        }
    }
}

/// A part of a device's screen; which ones there are depends on its capabilities, never on its kind.
public enum DeviceSection: Hashable, Sendable {
    /// Its battery.
    case battery(BatteryContent)
    /// Where it is and where it has been.
    case motion(FloorPlan)
    /// The power of the home at this device.
    case energy(EnergyFlow)
    /// What it says of its state, in the order of the names. Where its samples contain the same, the newer
    /// value stands here.
    case state([NamedValue])
    /// What it measures, in the order of the names.
    case measured([MeasuredSignal])

    @MainActor
    static func all(of device: DeviceMemory) -> [DeviceSection] {
        var sections: [DeviceSection] = []
        let capabilities = device.known.profile?.capabilities ?? []
        if let battery = BatteryContent(device.known) { sections.append(.battery(battery)) }
        if capabilities.contains(.movable) { sections.append(.motion(FloorPlan(device))) }
        if capabilities.contains(.energyStorage) {
            sections.append(.energy(EnergyFlow([device])))
        }
        let state = (device.known.state?.members ?? [:]).map { name, value in
            NamedValue(name: name, value: device.known.newest(name) ?? value)
        }
        if !state.isEmpty { sections.append(.state(state.sorted { $0.name < $1.name })) }
        let signals = MeasuredSignal.all(of: device)
        if !signals.isEmpty { sections.append(.measured(signals)) }
        return sections
    }
}

/// A member of a device's state.
public struct NamedValue: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its value.
    public let value: JSONValue

    /// The unit of a number; `nil` where the name says none.
    public var unit: SignalUnit? { value.number == nil ? nil : SignalUnit(ofSignal: name) }
}

/// Something that a device measures.
public struct MeasuredSignal: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its latest value; `nil` where the latest sample has none.
    public let value: JSONValue?
    /// Its values over the last hour and day; `nil` for what is no number.
    public let series: SampleSeries?

    /// The unit of a number; `nil` where the name says none.
    public var unit: SignalUnit? {
        value?.number == nil && series == nil ? nil : SignalUnit(ofSignal: name)
    }

    /// What a device measures now or has measured, in the order of the names.
    @MainActor
    static func all(of device: DeviceMemory) -> [MeasuredSignal] {
        let latest = device.known.telemetry?.values ?? [:]
        return Set(latest.keys).union(device.samples.keys).sorted().map { name in
            MeasuredSignal(name: name, value: latest[name], series: device.samples[name])
        }
    }
}
