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

    /// The unit of a signal by its name; `nil` where the name says none.
    public init?(ofSignal name: String) {
        switch name {
        // The two places on a floor plan have the plan's unit.
        case "x", "y": self = .metres
        case "percent": self = .percent
        case "seconds": self = .seconds
        default:
            // A unit follows a small letter or a digit: `depthM` has one, `RPM` has none.
            let found = Self.allCases.filter { unit in
                name.hasSuffix(unit.rawValue)
                    && name.dropLast(unit.rawValue.count).last?.isLowercase == true
            }
            guard let unit = found.max(by: { $0.rawValue.count < $1.rawValue.count }) else {
                return nil
            }
            self = unit
        }
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
        }
    }
}
