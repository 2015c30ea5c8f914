import DeviceDomain
import DeviceMessages

extension PoolBehaviour {
    package mutating func begin(
        fault: Fault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        if fault.name == .outOfWater {
            place(inWater: false)
            place = .keptOutside
        }
        guard let blockage = Blockage.ofPoolRobot(by: fault.name),
            blockages.begin(blockage, noting: &occurrences)
        else { return }
        interrupt(noting: &occurrences)
    }

    package mutating func end(
        fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        blockages.end(fault)
        guard fault == .outOfWater else { return }
        place(inWater: true)
        if case .failed(.outOfWater) = activity { rest() }
    }
}

extension Blockage {
    /// How a fault keeps the robot from working, if it does.
    static func ofPoolRobot(by fault: SimulatedFault) -> Blockage? {
        switch fault {
        case .stuck:
            Blockage(
                fault: fault, code: PoolFailure.stuck.rawValue, ackCode: .stuck, event: .stuck,
                message: PoolFailure.stuck.message)
        case .hardwareFault: .hardwareFault
        case .offline, .mute, .slow, .reboot, .lowBattery, .brushBlocked, .binFull,
            .sideBrushBlocked,
            .bumperStuck, .lidarBlocked, .cliff, .trapped, .binMissing, .filterBlocked,
            .dockNotFound, .dockNoPower, .batteryTemperature, .outOfWater, .overTemperature,
            .gridOutage, .meterLost:
            nil
        case .reset, .blackhole, .halfOpen, .slowLink, .latency, .loss, .takeover: nil
        }
    }
}
