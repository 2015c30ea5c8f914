import Basics
package import DeviceDomain
import DeviceMessages

/// A robot that sweeps the rooms of a floor from a dock.
///
/// What it does changes at whole seconds of the world clock and by commands; in between it is a function of the
/// time since, in whole milliseconds. So the same instants give the same results, however the time between them
/// is cut into steps.
package struct SweepingBehaviour: DeviceBehaviour {
    /// The floor of its home.
    let floor: Floor
    /// Its dock.
    let dock: FloorDock
    /// The numbers of its model.
    let robot: SweeperSpecification
    /// What the differences between its cleanings derive from.
    let seed: UInt64

    /// What it is doing.
    var activity = SweepingActivity.docked(resuming: nil)
    /// Where it was when it last stood still.
    var standing: Pose
    /// How hard it sucks.
    var level = SweepingRobot.SuctionLevel.balanced
    /// What supplies its dock.
    var supply = DockSupply()
    /// What comes in its way by itself; `nil` in a run that did not ask for it.
    var wear: SweeperWear?
    /// Its battery, as it was at the last whole second.
    var battery: BatteryPack
    /// What has flowed into and out of the battery since.
    var flow = BatteryFlow()
    /// What its cleanings add up to.
    var tally = CleaningTally()
    /// How full the dustbin is, in percent.
    var dustbinPercent = 0.0
    /// How long it has worked in its life, in milliseconds.
    var workedMilliseconds = 0
    /// What keeps it from working.
    var blockages = Blockages()
    /// The controlled members as they were last compared.
    var compared = ComparedValue<SweepingState>()
    /// Whether it may drive, where other robots are on its floor.
    var right = RightOfWay()
    /// Where its way must not lead at present, besides what always stands there; `nil` for nowhere.
    var blockedCells: CellSet?

    /// A robot on its dock.
    /// - Parameter dockNumber: which of the home's places its dock has, from 0; those beyond the last are counted from 0
    ///   again.
    init(
        _ robot: SweeperSpecification, on floor: Floor, dockNumber: Int, seed: UInt64
    ) {
        self.robot = robot
        self.floor = floor
        self.seed = seed
        let docks = floor.plan.docks
        dock = docks[dockNumber % docks.count]
        standing = dock.pose
        battery = BatteryPack(
            capacityWh: robot.battery.value, chargerW: robot.charger.value)
        // A full battery is full to the last bit, which a product need not be.
        let charge = robot.numbers.firstCharge.value
        if charge < 100 { battery.restore(percent: charge) }
        workedMilliseconds = Int(robot.numbers.worked.value * 3_600_000)
    }

    package var commands: [CommandSpecification] { floor.commands }

    package var describedPlan: RoomPlan? { floor.describedPlan(dock: dock) }
}

/// Energy that has flowed since the last whole second, in whole numbers, so that sums do not depend on their
/// order.
struct BatteryFlow: Sendable {
    /// Out of the battery, in µJ (mW · ms).
    private(set) var drawnMicrojoules = 0
    /// How long the dock has charged, in milliseconds.
    private(set) var chargingMilliseconds = 0

    /// Whether nothing has flowed.
    var isNothing: Bool { drawnMicrojoules == 0 && chargingMilliseconds == 0 }

    /// Draws power for some time.
    mutating func draw(watts: Double, milliseconds: Int) {
        drawnMicrojoules += Int((watts * 1000).rounded()) * milliseconds
    }

    /// Charges for some time.
    mutating func charge(milliseconds: Int) { chargingMilliseconds += milliseconds }

    /// Drives on for some time, to the end of the way at most.
    /// - Parameter watts: what a leg draws; `nil` for the time after the end.
    mutating func advance(
        _ drive: inout Drive, by time: Int, watts: (DriveLeg?) -> Double
    ) {
        var rest = time
        while let leg = drive.present, rest > 0 || drive.restOfLeg == 0 {
            let part = min(rest, drive.restOfLeg)
            draw(watts: watts(leg), milliseconds: part)
            drive.advance(milliseconds: part)
            rest -= part
        }
        draw(watts: watts(nil), milliseconds: rest)
    }

    /// Settles it all with a battery.
    mutating func settle(with battery: inout BatteryPack) {
        if chargingMilliseconds > 0 { battery.fill(seconds: Double(chargingMilliseconds) / 1000) }
        if drawnMicrojoules > 0 {
            battery.drain(watts: Double(drawnMicrojoules) / 1e6, seconds: 1)
        }
        self = BatteryFlow()
    }
}

extension DeviceIdentity {
    /// Which dock of the home is its own: by the number at the end of its name, from 0, so that numbered robots
    /// of a home have different docks; without one any number that depends on the name alone.
    var number: Int {
        let digits = device.text.reversed().prefix { ("0"..."9").contains($0) }
        if let number = Int(String(digits.reversed().suffix(9))) { return max(number - 1, 0) }
        var generator = SeededGenerator(seed: 0, identity: self, purpose: "dock")
        return Int(generator.next() >> 32)
    }
}
