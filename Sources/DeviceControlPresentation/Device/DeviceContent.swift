internal import Connectivity
internal import DeviceControl
public import DeviceDomain
internal import HomeModel
public import SharedPresentation

/// What is shown of one device.
public struct DeviceContent: Hashable, Sendable {
    /// What a list shows of it.
    public let summary: DeviceSummary
    /// Its model; `nil` if it has not said.
    public let model: DeviceModel?
    /// The version of its firmware; `nil` if it has not said.
    public let firmware: String?
    /// What a person should look at.
    public let attention: [Attention.Reason]
    /// What it consists of, by its capabilities.
    public let sections: [DeviceSection]
    /// What it was told, newest first.
    public let commands: [CommandSummary]

    @MainActor
    init(_ device: DeviceMemory) {
        let profile = device.known.profile
        summary = DeviceSummary(device)
        model = profile?.model
        firmware = profile.flatMap { $0.firmware.isEmpty ? nil : $0.firmware }
        attention = Attention.reasons(of: device)
        sections = DeviceSection.all(of: device)
        commands = device.commands.map {
            CommandSummary($0, by: profile?.specification(of: $0.intent.name))
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
    /// What it says of its state, in the order of the names.
    case state([NamedValue])
    /// What it measures, in the order of the names.
    case measured([Signal])

    @MainActor
    static func all(of device: DeviceMemory) -> [DeviceSection] {
        var sections: [DeviceSection] = []
        let capabilities = device.known.profile?.capabilities ?? []
        if capabilities.contains(.batteryPowered) || device.known.chargePercent != nil {
            sections.append(
                .battery(
                    BatteryContent(
                        chargePercent: device.known.chargePercent,
                        isCharging: device.known.isCharging)))
        }
        if capabilities.contains(.movable) { sections.append(.motion(FloorPlan(device))) }
        if capabilities.contains(.energyStorage) {
            sections.append(.energy(EnergyFlow([device])))
        }
        let state = (device.known.state?.members ?? [:]).map { NamedValue(name: $0, value: $1) }
        if !state.isEmpty { sections.append(.state(state.sorted { $0.name < $1.name })) }
        let signals = (device.known.telemetry?.values ?? [:]).map { name, value in
            Signal(name: name, value: value, series: device.samples[name])
        }
        if !signals.isEmpty { sections.append(.measured(signals.sorted { $0.name < $1.name })) }
        return sections
    }
}

/// A battery.
public struct BatteryContent: Hashable, Sendable {
    /// How full it is, in percent; `nil` if it has not said.
    public let chargePercent: Double?
    /// Whether it says that it charges.
    public let isCharging: Bool
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
public struct Signal: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its latest value.
    public let value: JSONValue
    /// Its values over the last hour and day; `nil` for what is no number.
    public let series: SampleSeries?

    /// The unit of a number; `nil` where the name says none.
    public var unit: SignalUnit? { value.number == nil ? nil : SignalUnit(ofSignal: name) }
}
