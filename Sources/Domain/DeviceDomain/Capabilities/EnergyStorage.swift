/// A device that stores the home's electrical energy.
public protocol EnergyStorage: Stoppable {}

extension EnergyStorage {
    /// The state of charge, if it was reported.
    public var stateOfCharge: Percentage? {
        report.telemetry?[.stateOfChargePercent]?.number.flatMap(Percentage.init)
    }
}

extension CommandRequest where Receiver: EnergyStorage {
    /// Charges at a power in watts, above 0 to the model's maximum, until a state of charge of
    /// 0…100 % if one is given.
    /// - Throws: ``ArgumentViolation`` if a value is out of its range.
    public static func charge(
        powerW: Double, untilPercent: Int? = nil
    ) throws(ArgumentViolation) -> Self {
        Self(.charge, try transferArguments(powerW, untilPercent))
    }

    /// Discharges at a power in watts, above 0 to the model's maximum, until a state of charge of
    /// 0…100 % if one is given.
    /// - Throws: ``ArgumentViolation`` if a value is out of its range.
    public static func discharge(
        powerW: Double, untilPercent: Int? = nil
    ) throws(ArgumentViolation) -> Self {
        Self(.discharge, try transferArguments(powerW, untilPercent))
    }

    private static func transferArguments(
        _ powerW: Double, _ untilPercent: Int?
    ) throws(ArgumentViolation) -> JSONObject {
        var arguments: JSONObject = ["powerW": .number(try Power(watts: powerW).watts)]
        if let untilPercent {
            arguments["untilPercent"] = try .integer(untilPercent, in: 0...100, "untilPercent")
        }
        return arguments
    }
}

extension CommandName {
    /// Charges the store.
    public static let charge = CommandName(rawValue: "charge")
    /// Discharges the store.
    public static let discharge = CommandName(rawValue: "discharge")
}
