import Basics
import DeviceDomain

/// Why a device has no connection although its broker is there.
struct Absences: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// The fault `offline`.
    static let fault = Absences(rawValue: 1)
    /// Its home has no power.
    static let darkHome = Absences(rawValue: 2)
    /// It has switched itself off.
    static let off = Absences(rawValue: 4)
    /// The fault `battery-dead`: it is off, and does nothing.
    static let dead = Absences(rawValue: 64)
}

/// What the power of its home does to the connection of a device.
struct PowerChange: Hashable, Sendable {
    /// How long a device of a dark home still has a connection, in seconds (PROTOCOL section 2).
    private static let fadeSeconds = 0.0...10.0
    /// How long it takes to come back with the power, in seconds (PROTOCOL section 2).
    private static let returnSeconds = 5.0...60.0

    /// Whether the home has power again, or none any more.
    let isOn: Bool
    /// When the connection follows (world clock).
    let due: Timestamp

    /// A change at an instant of the world; when a device follows is its own.
    init(isOn: Bool, at begin: Timestamp, of identity: DeviceIdentity) {
        self.isOn = isOn
        var generator = SeededGenerator(
            seed: 0, identity: identity, purpose: "power/\(begin.milliseconds)")
        let delay = generator.uniform(in: isOn ? Self.returnSeconds : Self.fadeSeconds)
        due = begin.advanced(by: .milliseconds(Int(delay * 1000)))
    }
}
