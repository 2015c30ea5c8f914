import DeviceDomain
import DeviceMessages

extension SweepingBehaviour {
    package mutating func begin(
        fault: Fault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        if fault.name == .lowBattery {
            battery.limit(toPercent: fault.value(of: .batteryPercent))
        }
        if fault.name == .dockNoPower { supply.isPluggedIn = false }
        guard let blockage = Blockage.ofSweeper(by: fault.name) else { return }
        // A robot elsewhere notices it at its dock.
        guard fault.name != .dockNoPower || activity.isDocked else { return }
        if fault.name == .binFull { dustbinPercent = 100 }
        block(blockage, noting: &occurrences)
    }

    package mutating func end(
        fault: SimulatedFault, noting occurrences: inout [BehaviourOccurrence]
    ) {
        blockages.end(fault)
        if fault == .lowBattery { battery.limit(toPercent: 100) }
        if fault == .binFull { dustbinPercent = 0 }
        if fault == .dockNoPower { supply.isPluggedIn = true }
    }

    package var ownFaults: [SimulatedFault] { blockages.faults }

    /// Stops where it is, because something keeps it from working.
    mutating func block(_ blockage: Blockage, noting occurrences: inout [BehaviourOccurrence]) {
        guard blockages.begin(blockage, noting: &occurrences) else { return }
        guard !isPoweredOff else { return }
        interrupt(noting: &occurrences)
    }
}

extension Blockage {
    /// The dust of its cleanings has filled the bin (254 of Xiaomi's robots).
    static let fullBin = Blockage(
        fault: .binFull, code: "BIN_FULL", ackCode: .hardwareFault, event: .fault,
        message: "the dustbin is full; empty it")
    /// No way leads to where it has to go (8 of Roborock's robots).
    static let trapped = Blockage(
        fault: .trapped, code: "TRAPPED", ackCode: .stuck, event: .stuck,
        message: "the robot is trapped; clear its way")
    /// No way leads to the dock.
    static let dockNotFound = Blockage(
        fault: .dockNotFound, code: "DOCK_NOT_FOUND", ackCode: .hardwareFault, event: .fault,
        message: "the robot does not find its dock; clear the way, or put it there")

    /// The dock does not charge (19 of Roborock's robots).
    static let dockNoPower = Blockage(
        fault: .dockNoPower, code: "DOCK_NO_POWER", ackCode: .hardwareFault, event: .fault,
        message: "the dock has no power; plug it in")

    /// How a fault keeps a sweeping robot from working, if it does.
    static func ofSweeper(by fault: SimulatedFault) -> Blockage? {
        sweepers.first { $0.fault == fault }
    }

    /// The faults that keep a sweeping robot from working. Codes are named after those of Roborock's robots: 1 laser, 2
    /// bumper, 4 cliff, 5 main brush, 6 side brush, 7 wheel, 9 dustbin, 10 filter, 14 battery.
    private static let sweepers: [Blockage] = [
        .stopping(.stuck, "WHEEL_BLOCKED", "a wheel is blocked; free the robot"),
        .stopping(.bumperStuck, "BUMPER_STUCK", "the bumper is pressed in; tap it free"),
        .stopping(.cliff, "CLIFF", "the robot stands at an edge; put it onto the floor"),
        .failing(.brushBlocked, "BRUSH_BLOCKED", "the main brush does not turn; clean it"),
        .failing(.sideBrushBlocked, "SIDE_BRUSH_BLOCKED", "the side brush does not turn; clean it"),
        .failing(.lidarBlocked, "LIDAR_BLOCKED", "the laser does not turn; free it"),
        .failing(.binMissing, "BIN_MISSING", "the dustbin is missing; put it in"),
        .failing(.filterBlocked, "FILTER_BLOCKED", "the filter is clogged; clean it"),
        .failing(
            .batteryTemperature, "BATTERY_TEMPERATURE", "the battery is too hot or too cold; wait"),
        .trapped, .dockNotFound, .dockNoPower, .fullBin, .hardwareFault,
    ]

    private static func stopping(
        _ fault: SimulatedFault, _ code: String, _ message: String
    ) -> Blockage {
        Blockage(fault: fault, code: code, ackCode: .stuck, event: .stuck, message: message)
    }

    private static func failing(
        _ fault: SimulatedFault, _ code: String, _ message: String
    ) -> Blockage {
        Blockage(
            fault: fault, code: code, ackCode: .hardwareFault, event: .fault, message: message)
    }
}
