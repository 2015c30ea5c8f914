import Homeport

/// The devices of a home, as `devices` prints them.
struct DevicesRenderer: Sendable {
    let format: OutputFormat

    /// The lines for these devices, in the order of their ids.
    func lines(for devices: [KnownDevice]) -> [String] {
        let devices = devices.sorted { $0.id.naturallyPrecedes($1.id) }
        return switch format {
        case .human: devices.isEmpty ? [] : table(of: devices).lines
        case .json: devices.map { $0.listing.text }
        }
    }

    private func table(of devices: [KnownDevice]) -> TextTable {
        var table = TextTable(titles: [
            "DEVICE", "NAME", "KIND", "MODEL", "PRESENCE", "ACTIVITY", "BATTERY",
        ])
        for device in devices {
            table.add([
                device.id.text, device.profile?.name ?? device.id.text,
                device.profile?.kind.rawValue ?? "unknown",
                device.profile?.model.rawValue ?? "unknown", device.connection.word,
                device.occupation ?? "–", device.charge ?? "–",
            ])
        }
        return table
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
        if let problem { line.add("problem", problem) }
        return line
    }

    /// What the device is doing: its activity or its mode.
    var occupation: String? {
        (state?.members["activity"] ?? state?.members["mode"])?.string
    }

    /// The charge of its battery or store, as people read it.
    var charge: String? {
        let device = device()
        let percentage =
            (device as? any EnergyStorage)?.stateOfCharge
            ?? (device as? any BatteryPowered)?.battery
        return percentage.map { "\(Int($0.value.rounded())) %" }
    }
}

extension ConnectionState {
    /// The presence in a word, as JSON and tables say it.
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .online: "online"
        case .offline: "offline"
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
