import Homeport
import TerminalOutput

/// The devices of a home, as `devices` prints them.
struct DevicesRenderer: Sendable {
    let format: OutputFormat
    var layout = Layout.plain
    /// When ages are counted to.
    var now = MachineClock.wallTime

    /// The lines for these devices, in the order of their ids.
    func lines(for devices: [KnownDevice]) -> [String] {
        switch format {
        case .human: devices.isEmpty ? [] : table(of: devices).lines(in: layout)
        case .json: Self.ordered(devices).map { $0.listing.text }
        }
    }

    /// The devices in a table, in the order of their ids.
    func table(of devices: [KnownDevice]) -> TextTable {
        var table = TextTable(Self.columns)
        for device in Self.ordered(devices) { table.add(row(for: device)) }
        return table
    }

    /// The cells of one device.
    func row(for device: KnownDevice) -> [TextTable.Cell] {
        [
            .init(device.id.text), .init(device.profile?.name ?? device.id.text),
            .init(device.profile?.kind.rawValue ?? "unknown"),
            .init(device.profile?.model.rawValue ?? "unknown"),
            .init(presence(of: device), device.connection.tone),
            .init(device.occupation ?? "–"), .init(device.charge ?? "–"),
        ]
    }

    /// The presence, and for a device that is known from an earlier run only when that heard it.
    private func presence(of device: KnownDevice) -> String {
        guard let moment = device.rememberedSince else { return device.connection.word }
        return "\(device.connection.word), heard \(now.since(moment).age) ago"
    }

    /// The cells of a device that is gone.
    func row(forRemoved device: DeviceID) -> [TextTable.Cell] {
        [
            .init(device.text), "–", "–", "–", .init("removed", .bad), "–", "–",
        ]
    }

    private static let columns: [TextTable.Column] = [
        .init("DEVICE", .cut(minimum: 10)), .init("NAME", .cut(minimum: 10), omission: 2),
        .init("KIND", .cut(minimum: 14), omission: 1),
        .init("MODEL", .cut(minimum: 11), omission: 3), .init("PRESENCE"),
        .init("ACTIVITY", .cut(minimum: 14)), .init("CHARGE", isNumeric: true),
    ]

    private static func ordered(_ devices: [KnownDevice]) -> [KnownDevice] {
        devices.sorted { $0.id.naturallyPrecedes($1.id) }
    }
}

extension KnownDevice {
    /// What `devices` and `show` say of every device in JSON.
    var listing: JSONLine {
        var line = JSONLine()
        line.add("device", id.text)
        line.add("home", home.text)
        line.add("channel", channel.text)
        line.add("kind", profile?.kind.rawValue ?? "unknown")
        line.add("model", profile?.model.rawValue ?? "unknown")
        line.add("name", profile?.name ?? id.text)
        line.add("presence", connection.word)
        line.add("boot", connection.boot?.text)
        line.add("revision", state?.revision)
        line.add("state", state.map { .object($0.members) } ?? .null)
        line.add("telemetry", telemetry.map { .object($0.values) } ?? .null)
        if let rememberedSince { line.add("lastHeardAt", rememberedSince.milliseconds) }
        if let problem { line.add("problem", problem) }
        if let ways { line.add(ways) }
        return line
    }

    /// When an earlier run heard the device; `nil` where that is not known, and once it is heard now.
    var rememberedSince: Timestamp? { heardAt == nil ? formerlyHeardAt : nil }

    /// What the device is doing: its activity or its mode.
    var occupation: String? {
        (reportedValue(of: .activity) ?? reportedValue(of: .mode))?.string
    }

    /// The charge of its battery or store, as people read it; `nil` where none was reported.
    var charge: String? {
        let percentages = [Signal.stateOfChargePercent, .batteryPercent].lazy.compactMap { member in
            reportedValue(of: member)?.number.flatMap(Percentage.init)
        }
        return percentages.first.map { "\(Int($0.value.rounded())) %" }
    }

    /// Whether the device says that it has a charge, and has not reported it.
    var owesCharge: Bool {
        guard charge == nil, let capabilities = profile?.capabilities else { return false }
        return capabilities.contains(.batteryPowered) || capabilities.contains(.energyStorage)
    }
}

extension JSONLine {
    /// Adds the channels that lead to a device, the best one first, and why one of them is used.
    fileprivate mutating func add(_ ways: DeviceWays) {
        let channels = ways.all.map { way in
            JSONValue.object([
                "channel": .string(way.channel.text), "id": .string(way.device.text),
                "presence": .string(way.connection.word),
            ])
        }
        add("channels", .array(channels))
        add("channelReason", ways.reason)
        add("stateFrom", ways.stateSource?.text)
    }
}

extension Duration {
    /// How long ago something was, in one unit, rounded down; below zero counts as zero.
    fileprivate var age: String {
        let minutes = max(0, wholeMilliseconds) / 60_000
        return switch minutes {
        case ..<60: "\(minutes) min"
        case ..<(48 * 60): "\(minutes / 60) h"
        default: "\(minutes / (24 * 60)) days"
        }
    }
}

extension Identifier {
    /// Whether this comes before `other` where people count: `pool-2` before `pool-10`.
    func naturallyPrecedes(_ other: Self) -> Bool {
        let (stem, number) = numbered
        let (otherStem, otherNumber) = other.numbered
        return stem == otherStem && number != otherNumber ? number < otherNumber : text < other.text
    }

    private var numbered: (stem: Substring, number: Int) {
        let digits = text.reversed().prefix { ("0"..."9").contains($0) }.count
        return (text.dropLast(digits), Int(text.suffix(digits)) ?? -1)
    }
}

extension KnownDevice {
    fileprivate func reportedValue(of signal: Signal) -> JSONValue? {
        reportedValue(of: signal.rawValue)
    }
}
