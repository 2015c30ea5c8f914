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
        poolRobots.first { $0.fault == fault }
    }

    private static let poolRobots: [Blockage] = [
        Blockage(
            fault: .stuck, code: PoolFailure.stuck.rawValue, ackCode: .stuck, event: .stuck,
            message: PoolFailure.stuck.message),
        .hardwareFault,
    ]
}
