import Basics
import DeviceDomain

/// Why a device has no connection although its broker is there.
enum Absence: Hashable, Sendable {
    /// The fault `offline`.
    case fault
    /// Its home has no power.
    case darkHome
    /// It has switched itself off.
    case off
}

/// What the power of its home does to the connection of a device.
struct PowerChange: Hashable, Sendable {
    /// Whether the home has power again, or none any more.
    let isOn: Bool
    /// When the connection follows (world clock).
    let due: Timestamp
}

// Ends of the connection without a goodbye, whose will the broker publishes.
extension SimulatedDevice {
    /// How long a device of a dark home still has a connection, in seconds (PROTOCOL section 2).
    private static let fadeSeconds = 0.0...10.0
    /// How long it takes to come back with the power, in seconds (PROTOCOL section 2).
    private static let returnSeconds = 5.0...60.0

    /// Whether it has no connection, and makes none.
    package var isKeptOffline: Bool { !absences.isEmpty }

    /// Ends the connection for a reason.
    mutating func leave(for reason: Absence) {
        let wasThere = absences.isEmpty
        absences.insert(reason)
        guard wasThere else { return }
        disconnect()
        actions.append(.dropConnection)
    }

    /// Connects again, unless there is another reason not to.
    mutating func comeBack(from reason: Absence) {
        guard absences.remove(reason) != nil, absences.isEmpty else { return }
        actions.append(.connect)
    }

    /// The power of the home is gone, or is back.
    mutating func setMains(_ isOn: Bool) {
        behaviour.hasMains = isOn
        let begin = timetable.reached
        var generator = SeededGenerator(
            seed: 0, identity: identity, purpose: "power/\(begin.milliseconds)")
        let delay = generator.uniform(in: isOn ? Self.returnSeconds : Self.fadeSeconds)
        powerChange = PowerChange(
            isOn: isOn, due: begin.advanced(by: .milliseconds(Int(delay * 1000))))
    }

    /// Follows the power of the home and the device's own switch.
    mutating func followPower(at instant: Timestamp) {
        if behaviour.isPoweredOff != absences.contains(.off) {
            behaviour.isPoweredOff ? leave(for: .off) : comeBack(from: .off)
        }
        guard let change = powerChange, change.due <= instant else { return }
        powerChange = nil
        change.isOn ? comeBack(from: .darkHome) : leave(for: .darkHome)
    }
}
