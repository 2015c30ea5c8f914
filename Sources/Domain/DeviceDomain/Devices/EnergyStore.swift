/// A battery that stores a home's electrical energy.
public struct EnergyStore: Device, Connectable, EnergyStorage {
    public let profile: DeviceProfile
    public var report: DeviceReport

    /// The rule by which the store charges and discharges.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        case selfConsumption = "self-consumption"
        case backup
        case timeOfUse = "time-of-use"
        case idle
    }

    public init(profile: DeviceProfile, report: DeviceReport = DeviceReport()) {
        self.profile = profile
        self.report = report
    }

    /// The rule that the store follows, if it was reported.
    public var mode: Mode? { report.state[.mode]?.string.flatMap(Mode.init) }
}

extension CommandRequest where Receiver == EnergyStore {
    /// Sets the rule that the store follows.
    public static func setMode(_ mode: EnergyStore.Mode) -> Self {
        Self(.setMode, ["mode": .string(mode.rawValue)])
    }

    /// Sets the state of charge at which charging ends, 50…100 %.
    /// - Throws: ``ArgumentViolation`` if it is out of its range.
    public static func setChargeLimit(percent: Int) throws(ArgumentViolation) -> Self {
        let range = EnergyStore.allowedChargeLimit
        return Self(.setChargeLimit, ["percent": try .integer(percent, in: range, "percent")])
    }

    /// Sets the charge that is kept for a failure of the grid, 0…100 %.
    /// - Throws: ``ArgumentViolation`` if it is out of its range.
    public static func setReserve(percent: Int) throws(ArgumentViolation) -> Self {
        Self(.setReserve, ["percent": try .integer(percent, in: 0...100, "percent")])
    }

    /// Disconnects the home from the grid, or connects it again.
    public static func setIslanding(_ enabled: Bool) -> Self {
        Self(.setIslanding, ["enabled": .boolean(enabled)])
    }
}

extension CommandName {
    /// Sets the rule that the store follows.
    public static let setMode = CommandName(rawValue: "set-mode")
    /// Sets the state of charge at which charging ends.
    public static let setChargeLimit = CommandName(rawValue: "set-charge-limit")
    /// Sets the charge that is kept for a failure of the grid.
    public static let setReserve = CommandName(rawValue: "set-reserve")
    /// Disconnects the home from the grid, or connects it again.
    public static let setIslanding = CommandName(rawValue: "set-islanding")
}
