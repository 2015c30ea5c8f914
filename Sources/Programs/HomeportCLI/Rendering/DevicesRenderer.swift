import Homeport
import TerminalOutput

/// The devices of a home, as `devices` prints them.
struct DevicesRenderer: Sendable {
    var style = ListStyle(.table)
    var layout = Layout.plain
    /// When ages are counted to.
    var now = MachineClock.wallTime

    /// The columns of the list.
    static let columns: [TextTable.Column] = [
        .init("DEVICE", .cut(minimum: 10)), .init("NAME", .cut(minimum: 10), omission: 2),
        .init("ROOM", .cut(minimum: 8), omission: 3, shown: .whereKnown),
        .init("KIND", .cut(minimum: 14), omission: 1),
        .init("MODEL", .cut(minimum: 11), omission: 4), .init("PRESENCE"),
        .init("ACTIVITY", .cut(minimum: 14)), .init("CHARGE", isNumeric: true),
        .init("CHANNEL", shown: .wide), .init("HEARD", shown: .wide),
    ]

    /// The lines for these devices, in the order of their ids unless another is chosen.
    func lines(for devices: [KnownDevice]) -> [String] {
        listing(of: devices).lines(style, in: layout)
    }

    /// The devices in the order of their ids.
    func listing(of devices: [KnownDevice]) -> Listing {
        let ordered = devices.sorted { $0.id.text.naturallyPrecedes($1.id.text) }
        return Listing(
            Self.columns,
            ordered.map { device in
                Listing.Row(device.id.text) {
                    cells(for: device)
                } object: {
                    device.listing
                }
            })
    }

    /// The cells of one device.
    func cells(for device: KnownDevice) -> [TextTable.Cell] {
        let times = ListTimes(style, in: layout, now: now)
        return [
            .init(device.id.text), .init(device.name),
            device.label.room.map { .init($0.text) } ?? .absent,
            .init(device.profile?.kind.rawValue ?? "unknown"),
            .init(device.profile?.model.rawValue ?? "unknown"),
            .init(presence(of: device), device.connection.tone),
            device.occupation.map { .init($0) } ?? .absent,
            device.chargePercentage.map {
                .init(KnownDevice.charge($0), order: $0.value)
            } ?? .absent,
            .init(device.channel.text),
            times.cell(device.heardAt ?? device.formerlyHeardAt, exactly: LocalTime.dateAndTime),
        ]
    }

    /// The presence, and for a device that is known from an earlier run only when that heard it.
    private func presence(of device: KnownDevice) -> String {
        guard let moment = device.rememberedSince else { return device.connection.word }
        return "\(device.connection.word), heard \(now.since(moment).age) ago"
    }

    /// The cells of a device that is gone.
    func cells(forRemoved device: DeviceID) -> [TextTable.Cell] {
        Self.columns.map { column in
            switch column.title {
            case "DEVICE": .init(device.text)
            case "PRESENCE": .init("removed", .bad)
            default: .absent
            }
        }
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
        line.add("name", name)
        line.add("room", label.room?.text)
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
    var charge: String? { chargePercentage.map(Self.charge) }

    fileprivate static func charge(_ percentage: Percentage) -> String {
        "\(Int(percentage.value.rounded())) %"
    }

    fileprivate var chargePercentage: Percentage? {
        let percentages = [Signal.stateOfChargePercent, .batteryPercent].lazy.compactMap { member in
            reportedValue(of: member)?.number.flatMap(Percentage.init)
        }
        return percentages.first
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

extension KnownDevice {
    fileprivate func reportedValue(of signal: Signal) -> JSONValue? {
        reportedValue(of: signal.rawValue)
    }
}
