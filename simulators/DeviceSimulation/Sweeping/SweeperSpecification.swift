import Basics
import DeviceDomain

/// The numbers of one model of sweeping robot, shared by all robots of the model, or those of one robot some of whose
/// numbers were given.
package final class SweeperSpecification: ModelSpecification {
    /// Those that can be given for some robots.
    let numbers: SweeperNumbers
    /// The charger's power before the taper.
    let charger: Rating
    /// Whether the dock empties the dustbin.
    let emptiesItself: Bool

    /// What moves it and cleans.
    let chassis = SweeperChassis.standard

    /// Wheels, brushes, laser and electronics while it drives.
    let drivePower = Rating(12, "W", .estimate("with the fan 25 to 45 W, as run times imply"))
    /// Electronics while it stands off the dock.
    let idlePower = Rating(2.5, "W", .estimate("a processor and Wi-Fi"))
    /// The fan by suction level, in the order quiet, balanced, turbo, max.
    let fanPower = [10.0, 18, 28, 42].map {
        Rating($0, "W", .estimate("run times of 60 to 180 min with packs of 37 to 75 Wh"))
    }
    /// How much more the fan and the brushes need on carpets.
    let carpetFactor = Rating(1.3, "1", .published("carpets cost up to 30 % of the run time"))
    /// The state of charge below which no cleaning starts.
    let startPercent = Rating(15, "%", .estimate("above the return by what a short cleaning needs"))
    /// The state of charge at which it returns to the dock.
    let returnPercent = Rating(10, "%", .published("Eufy S1 Pro, knowledge base"))
    /// The state of charge at which it takes up an interrupted cleaning.
    let resumePercent = Rating(65, "%", .published("Eufy S1 Pro, knowledge base"))
    /// The state of charge at which it switches itself off where it is not on its dock.
    let offPercent = Rating(5, "%", .published("Roborock's mower, knowledge base: absolute 5 %"))
    /// How long a robot that is off stands there before somebody puts it onto its dock.
    let rescueTime = Rating(8, "h", .estimate("it is found in the evening"))

    private init(_ numbers: SweeperNumbers, charger: Rating, emptiesItself: Bool) {
        self.numbers = numbers
        self.charger = charger
        self.emptiesItself = emptiesItself
    }

    private convenience init(battery: Rating, emptiesItself: Bool) {
        let charger = Rating(
            battery.value * 1.482 / 2, "W",
            .published("Roomba i7: 2 h for a charge, which the taper makes 1.482 times longer"))
        self.init(SweeperNumbers(battery: battery), charger: charger, emptiesItself: emptiesItself)
    }

    /// 2600 mAh at 14.4 V.
    static let s1 = SweeperSpecification(
        battery: Rating(
            37.4, "Wh", .published("2600 mAh at 14.4 V; packs of the class: 37 to 75 Wh"),
            orFrom: packs),
        emptiesItself: false)
    /// 5200 mAh at 14.4 V, with a dock that empties the dustbin.
    static let pro = SweeperSpecification(
        battery: Rating(
            74.9, "Wh", .published("5200 mAh at 14.4 V; packs of the class: 37 to 75 Wh"),
            orFrom: packs),
        emptiesItself: true)
    /// From half of the smallest pack of the class, which is old, to the largest, in Wh.
    private static let packs = 18.5...75.0

    package var ratings: [(name: String, rating: Rating)] {
        let levels = SweepingRobot.SuctionLevel.allCases.map(\.rawValue)
        return [
            ("battery", battery), ("first-charge", numbers.firstCharge), ("charger", charger),
        ] + chassis.ratings + [
            ("drive-power", drivePower), ("idle-power", idlePower),
        ] + zip(levels, fanPower).map { ("fan-power-\($0)", $1) } + [
            ("carpet-factor", carpetFactor), ("start-charge", startPercent),
            ("return-charge", returnPercent), ("resume-charge", resumePercent),
            ("off-charge", offPercent), ("rescue-time", rescueTime), ("dust", dust),
            ("worked", numbers.worked), ("main-brush-life", mainBrushLife),
            ("side-brush-life", sideBrushLife),
            ("filter-life", filterLife), ("sensor-life", sensorLife),
        ] + wear.ratings
    }
}

// What can be given for some of its robots.
extension SweeperSpecification {
    package var adjustable: [String] { SweeperNumbers.names }

    package func adjusted(to parameters: [String: ClosedRange<Double>]) -> SweeperSpecification {
        SweeperSpecification(
            numbers.narrowed(to: parameters), charger: charger, emptiesItself: emptiesItself)
    }

    /// The numbers of one robot; the same object where none was given.
    func drawn(using generator: inout SeededGenerator) -> SweeperSpecification {
        guard numbers.isAnyDrawn else { return self }
        return SweeperSpecification(
            numbers.drawn(using: &generator), charger: charger, emptiesItself: emptiesItself)
    }
}

extension SweeperSpecification {
    /// What its battery holds.
    var battery: Rating { numbers.battery }
    /// How much of the dustbin a square metre fills.
    var dust: Rating { numbers.dust }
    /// The life of the main brush.
    var mainBrushLife: Rating { numbers.mainBrushLife }
    /// The life of the side brush.
    var sideBrushLife: Rating { numbers.sideBrushLife }
    /// The life of the filter.
    var filterLife: Rating { numbers.filterLife }
    /// How long the sensors need no cleaning.
    var sensorLife: Rating { numbers.sensorLife }
    /// What comes in its way by itself, where a run asks for it.
    var wear: SweeperWearRatings { numbers.wear }

    /// The fan's power, in W.
    func fanW(_ level: SweepingRobot.SuctionLevel) -> Double {
        switch level {
        case .quiet: fanPower[0].value
        case .balanced: fanPower[1].value
        case .turbo: fanPower[2].value
        case .max: fanPower[3].value
        }
    }

    /// What a cleaning needs, in W.
    /// - Parameter carpetShare: how much of the floor below is carpet, 0…1.
    func cleaningW(_ level: SweepingRobot.SuctionLevel, carpetShare: Double) -> Double {
        (drivePower.value + fanW(level)) * (1 + (carpetFactor.value - 1) * carpetShare)
    }
}
