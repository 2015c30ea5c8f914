import DeviceDomain

/// The devices of a home, as `devices` prints them.
struct DevicesRenderer: Sendable {
    let format: OutputFormat

    /// The lines for these devices, in the order of their ids.
    func lines(for devices: [any Device]) -> [String] {
        let devices = devices.sorted { $0.id.naturallyPrecedes($1.id) }
        return switch format {
        case .human: devices.isEmpty ? [] : table(of: devices).lines
        case .json: devices.map { $0.listing.text }
        }
    }

    private func table(of devices: [any Device]) -> TextTable {
        var table = TextTable(titles: [
            "DEVICE", "NAME", "KIND", "MODEL", "PRESENCE", "ACTIVITY", "BATTERY",
        ])
        for device in devices {
            let profile = device.profile
            table.add([
                profile.id.text, profile.name, profile.kind.rawValue, profile.model.rawValue,
                device.report.connection.word, device.occupation ?? "–", device.charge ?? "–",
            ])
        }
        return table
    }
}

extension Device {
    /// What `devices` and `show` say of every device in JSON.
    var listing: JSONLine {
        var line = JSONLine()
        line.add("device", profile.id.text)
        line.add("home", profile.home.text)
        line.add("kind", profile.kind.rawValue)
        line.add("model", profile.model.rawValue)
        line.add("name", profile.name)
        line.add("presence", report.connection.word)
        line.add("boot", report.connection.boot?.text)
        line.add("revision", report.revision)
        line.add("state", .object(report.state))
        line.add("telemetry", report.telemetry.map(JSONValue.object) ?? .null)
        return line
    }

    /// What the device is doing: its activity or its mode.
    var occupation: String? {
        (report.state["activity"] ?? report.state["mode"])?.string
    }

    /// The charge of its battery or store, as people read it.
    var charge: String? {
        let percentage =
            (self as? any EnergyStorage)?.stateOfCharge ?? (self as? any BatteryPowered)?.battery
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
