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

    /// The class of a member by its name.
    /// - Returns: one without unit for a name that says none.
    static func of(_ member: String) -> SignalClass {
        known(member)
            ?? SignalClass(deviceClass: nil, unit: nil, stateClass: measurement, stem: member)
    }

    /// As ``of(_:)``; `nil` for a name that says no unit.
    static func known(_ member: String) -> SignalClass? {
        guard let unit = SignalUnit(ofSignal: member) else { return nil }
        let stem = unit.stem(of: member)
        let suffix = stem == member ? "" : stemSuffix(unit, of: stem)
        let isCounter = unit == .kilowattHours && !isStored(stem)
        return SignalClass(
            deviceClass: deviceClass(of: member, in: unit), unit: unit.symbol,
            stateClass: isCounter ? "total_increasing" : measurement, stem: stem + suffix)
    }

    private static let measurement = "measurement"

    /// What is stored goes up and down; every other energy is a counter.
    private static func isStored(_ stem: String) -> Bool { stem.hasPrefix("stored") }

    private static func stemSuffix(_ unit: SignalUnit, of stem: String) -> String {
        switch unit {
        case .seconds, .minutes: "Time"
        case .kilowattHours: isStored(stem) ? "" : "Energy"
        case .percent, .squareMetres, .degreesCelsius, .degrees, .metres, .watts, .volts, .amperes,
            .lux, .hectopascals:
            ""
        }
    }

    private static func deviceClass(of member: String, in unit: SignalUnit) -> String? {
        switch unit {
        case .percent: percentages[member]
        case .squareMetres, .degrees: nil
        case .kilowattHours: isStored(member) ? "energy_storage" : "energy"
        case .degreesCelsius: "temperature"
        case .seconds, .minutes: "duration"
        case .metres: "distance"
        case .watts: "power"
        case .volts: "voltage"
        case .amperes: "current"
        case .lux: "illuminance"
        case .hectopascals: "atmospheric_pressure"
        }
    }

    /// The percentages that Home Assistant knows.
    private static let percentages = [
        Signal.batteryPercent.rawValue: "battery", Signal.stateOfChargePercent.rawValue: "battery",
        "battery": "battery", "humidity": "humidity",
    ]
}
