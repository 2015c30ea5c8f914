/// The unit of a signal or an argument, as its name ends (PROTOCOL section 2).
public enum SignalUnit: String, Hashable, Sendable, CaseIterable {
    /// Hundredths.
    case percent = "Percent"
    /// Energy in kWh.
    case kilowattHours = "KWh"
    /// Area in m².
    case squareMetres = "M2"
    /// Temperature in °C.
    case degreesCelsius = "C"
    /// Angle in °.
    case degrees = "Deg"
    /// Time in s.
    case seconds = "Seconds"
    /// Time in min.
    case minutes = "Minutes"
    /// Length in m.
    case metres = "M"
    /// Power in W.
    case watts = "W"
    /// Voltage in V.
    case volts = "V"
    /// Current in A.
    case amperes = "A"
    /// Illuminance in lx.
    case lux = "Lx"
    /// Pressure in hPa.
    case hectopascals = "HPa"

    /// The names that do not end with their unit: the two places on a floor plan, which have the plan's unit, two
    /// arguments, and what zigbee2mqtt calls its exposes.
    private static let exact: [String: SignalUnit] = [
        "x": .metres, "y": .metres, "percent": .percent, "seconds": .seconds,
        "battery": .percent, "temperature": .degreesCelsius, "humidity": .percent,
        "illuminance": .lux, "pressure": .hectopascals, "power": .watts, "current": .amperes,
        "voltage": .volts, "energy": .kilowattHours,
    ]

    /// The unit of a signal by its name; `nil` where the name says none.
    public init?(ofSignal name: String) {
        // The longest one: a name that ends with "M2" is no length.
        let ending = Self.allCases.filter { $0.ends(name) }
            .max { $0.rawValue.count < $1.rawValue.count }
        guard let unit = Self.exact[name] ?? ending else { return nil }
        self = unit
    }

    /// A name without this unit at its end.
    public func stem(of name: String) -> String {
        ends(name) ? String(name.dropLast(rawValue.count)) : name
    }

    /// A unit follows a small letter or a digit: `depthM` has one, `RPM` has none.
    private func ends(_ name: String) -> Bool {
        guard name.hasSuffix(rawValue), let last = name.dropLast(rawValue.count).last else {
            return false
        }
        return last.isLowercase || last.isNumber
    }

    /// Its symbol, which is the same in every language.
    public var symbol: String {
        switch self {
        case .percent: "%"
        case .kilowattHours: "kWh"
        case .squareMetres: "m²"
        case .degreesCelsius: "°C"
        case .degrees: "°"
        case .seconds: "s"
        case .minutes: "min"
        case .metres: "m"
        case .watts: "W"
        case .volts: "V"
        case .amperes: "A"
        case .lux: "lx"
        case .hectopascals: "hPa"
        }
    }
}
