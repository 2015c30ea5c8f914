import DeviceDomain
import DeviceMessages

extension SweepingBehaviour {
    package mutating func begin(
        fault: Fault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        if fault.name == .lowBattery {
            battery.limit(toPercent: fault.value(of: .batteryPercent))
        }
        guard let blockage = Self.blockage(by: fault.name),
            blockages.begin(blockage, noting: &occurrences)
        else { return }
        interrupt(noting: &occurrences)
        if fault.name == .binFull { dustbinPercent = 100 }
    }

    package mutating func end(
        fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        blockages.end(fault)
        if fault == .lowBattery { battery.limit(toPercent: 100) }
        if fault == .binFull { dustbinPercent = 0 }
    }

    /// How a fault keeps the robot from working, if it does. Codes are named after those of
    /// Roborock's robots: 5 main brush, 7 wheel jam; 254 bin full (Xiaomi).
    private static func blockage(by fault: SimulatedFault) -> Blockage? {
        switch fault {
        case .stuck:
            Blockage(
                fault: fault, code: "WHEEL_BLOCKED", ackCode: .stuck, event: .stuck,
                message: "a wheel is blocked; free the robot")
        case .brushBlocked:
            Blockage(
                fault: fault, code: "BRUSH_BLOCKED", ackCode: .hardwareFault, event: .fault,
                message: "the main brush does not turn; clean it")
        case .binFull:
            Blockage(
                fault: fault, code: "BIN_FULL", ackCode: .hardwareFault, event: .fault,
                message: "the dustbin is full; empty it")
        case .hardwareFault: .hardwareFault
        case .offline, .mute, .slow, .reboot, .lowBattery, .outOfWater, .overTemperature,
            .gridOutage:
            nil
        }
    }
}
