/// A device that stores the home's electrical energy.
public protocol EnergyStorage: Controllable {}

extension EnergyStorage {
    /// The state of charge, if it was reported.
    public var stateOfCharge: Percentage? {
        report.telemetry?["stateOfChargePercent"]?.number.flatMap(Percentage.init)
    }

    /// Charges at a power, until a state of charge if one is given.
    public func charge(at power: Power, until target: Percentage? = nil) -> CommandRequest<Self> {
        CommandRequest(.charge, transferArguments(power, target))
    }

    /// Discharges at a power, until a state of charge if one is given.
    public func discharge(at power: Power, until target: Percentage? = nil)
        -> CommandRequest<Self>
    {
        CommandRequest(.discharge, transferArguments(power, target))
    }

    private func transferArguments(_ power: Power, _ target: Percentage?) -> JSONObject {
        var arguments: JSONObject = ["powerW": .number(power.watts)]
        if let target { arguments["untilPercent"] = .number(target.value.rounded()) }
        return arguments
    }
}

extension CommandName {
    /// Charges the store.
    public static let charge = CommandName(rawValue: "charge")
    /// Discharges the store.
    public static let discharge = CommandName(rawValue: "discharge")
}
