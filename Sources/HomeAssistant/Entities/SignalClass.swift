import Homeport

/// What Home Assistant is told about a number: its class, unit and kind of statistics.
struct SignalClass: Hashable, Sendable {
    /// Home Assistant's device class; `nil` where none fits.
    let deviceClass: String?
    /// The unit as Home Assistant writes it; `nil` without one.
    let unit: String?
    /// `measurement`, or `total_increasing` for a counter.
    let stateClass: String
    /// The member's name without its unit.
    let stem: String

    /// The members of an entity's description.
    var members: JSONObject {
        var members: JSONObject = ["state_class": .string(stateClass)]
        if let deviceClass { members["device_class"] = .string(deviceClass) }
        if let unit { members["unit_of_measurement"] = .string(unit) }
        return members
    }

    /// The class of a member by its name: PROTOCOL section 5 ends names with their unit; members of
    /// zigbee2mqtt have the names of its exposes.
    /// - Returns: one without unit for a name that says none.
    static func of(_ member: String) -> SignalClass { known(member) ?? plain(member) }

    /// As ``of(_:)``; `nil` for a name that says no unit.
    static func known(_ member: String) -> SignalClass? {
        exact[member] ?? suffixed(member)
    }

    private init(
        _ deviceClass: String?, _ unit: String?, _ stateClass: String = "measurement",
        stem: String
    ) {
        self.deviceClass = deviceClass
        self.unit = unit
        self.stateClass = stateClass
        self.stem = stem
    }

    private static func plain(_ member: String) -> SignalClass {
        SignalClass(nil, nil, stem: member)
    }

    private static let exact: [String: SignalClass] = [
        "batteryPercent": SignalClass("battery", "%", stem: "battery"),
        "stateOfChargePercent": SignalClass("battery", "%", stem: "stateOfCharge"),
        "x": SignalClass("distance", "m", stem: "x"),
        "y": SignalClass("distance", "m", stem: "y"),
        "battery": SignalClass("battery", "%", stem: "battery"),
        "temperature": SignalClass("temperature", "°C", stem: "temperature"),
        "humidity": SignalClass("humidity", "%", stem: "humidity"),
        "illuminance": SignalClass("illuminance", "lx", stem: "illuminance"),
        "pressure": SignalClass("atmospheric_pressure", "hPa", stem: "pressure"),
        "power": SignalClass("power", "W", stem: "power"),
        "current": SignalClass("current", "A", stem: "current"),
        "energy": SignalClass("energy", "kWh", "total_increasing", stem: "energy"),
    ]

    /// Longer endings first where one ends with another.
    private static let suffixes: [(String, String?, String)] = [
        ("Percent", nil, "%"), ("KWh", "energy", "kWh"), ("Seconds", "duration", "s"),
        ("Minutes", "duration", "min"), ("Deg", nil, "°"), ("M2", nil, "m²"),
        ("W", "power", "W"), ("C", "temperature", "°C"), ("V", "voltage", "V"),
        ("A", "current", "A"), ("M", "distance", "m"),
    ]

    private static func suffixed(_ member: String) -> SignalClass? {
        guard
            let (suffix, deviceClass, unit) = suffixes.first(where: {
                member.hasSuffix($0.0) && endsWord(member.dropLast($0.0.count))
            })
        else { return nil }
        let stem = String(member.dropLast(suffix.count))
        if deviceClass == "duration" {
            return SignalClass(deviceClass, unit, stem: stem + "Time")
        }
        guard suffix == "KWh" else { return SignalClass(deviceClass, unit, stem: stem) }
        // What is stored goes up and down; every other energy of the protocol is a counter.
        return stem.hasPrefix("stored")
            ? SignalClass("energy_storage", unit, stem: stem)
            : SignalClass("energy", unit, "total_increasing", stem: stem + "Energy")
    }

    private static func endsWord(_ stem: Substring) -> Bool {
        stem.last.map { $0.isLowercase || $0.isNumber } ?? false
    }
}
