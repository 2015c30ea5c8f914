import DeviceDomain
import DeviceMessages

extension PoolBehaviour {
    package mutating func begin(
        fault: Fault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        if fault.name == .outOfWater {
            isKeptOutside = true
            place(inWater: false)
        }
        guard let blockage = Self.blockage(by: fault.name),
            blockages.begin(blockage, noting: &occurrences)
        else { return }
        interrupt(noting: &occurrences)
    }

    package mutating func end(
        fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        blockages.end(fault)
        guard fault == .outOfWater else { return }
        isKeptOutside = false
        place(inWater: true)
        if case .error = activity { activity = .idle }
    }

    /// How a fault keeps the robot from working, if it does.
    private static func blockage(by fault: SimulatedFault) -> Blockage? {
        switch fault {
        case .stuck:
            // Error 14 of Dolphin's robots.
            Blockage(
                fault: fault, code: "STUCK", ackCode: .stuck, event: .stuck,
                message: "the robot cannot move; free it")
        case .hardwareFault: .hardwareFault
        case .offline, .mute, .slow, .reboot, .lowBattery, .brushBlocked, .binFull, .outOfWater,
            .overTemperature, .gridOutage:
            nil
        }
    }
}
