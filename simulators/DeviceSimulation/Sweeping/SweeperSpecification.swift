import DeviceDomain

/// The numbers of one model of sweeping robot, shared by all robots of the model.
package final class SweeperSpecification: ModelSpecification {
    /// What its battery holds.
    let battery: Rating
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

    /// How much of the dustbin a square metre fills.
    let dust = Rating(0.4, "%/m²", .estimate("a bin does for about five cleanings of a home"))
    /// The life of the main brush.
    let mainBrushLife = Rating(300, "h", .published("Roborock and Dreame in Valetudo"))
    /// The life of the side brush.
    let sideBrushLife = Rating(200, "h", .published("Roborock and Dreame in Valetudo"))
    /// The life of the filter.
    let filterLife = Rating(150, "h", .published("Roborock and Dreame in Valetudo"))
    /// How long the sensors need no cleaning.
    let sensorLife = Rating(30, "h", .published("Roborock and Dreame in Valetudo"))

    /// What comes in its way by itself, where a run asks for it.
    let wear = SweeperWearRatings()

    private init(battery: Rating, emptiesItself: Bool) {
        self.battery = battery
        self.emptiesItself = emptiesItself
        charger = Rating(
            battery.value * 1.482 / 2, "W",
            .published("Roomba i7: 2 h for a charge, which the taper makes 1.482 times longer"))
    }

    /// 2600 mAh at 14.4 V.
    static let s1 = SweeperSpecification(
        battery: Rating(
            37.4, "Wh", .published("2600 mAh at 14.4 V; packs of the class: 37 to 75 Wh")),
        emptiesItself: false)
    /// 5200 mAh at 14.4 V, with a dock that empties the dustbin.
    static let pro = SweeperSpecification(
        battery: Rating(
            74.9, "Wh", .published("5200 mAh at 14.4 V; packs of the class: 37 to 75 Wh")),
        emptiesItself: true)

    package var ratings: [(name: String, rating: Rating)] {
        let levels = SweepingRobot.SuctionLevel.allCases.map(\.rawValue)
        return [
            ("battery", battery), ("charger", charger),
        ] + chassis.ratings + [
            ("drive-power", drivePower), ("idle-power", idlePower),
        ] + zip(levels, fanPower).map { ("fan-power-\($0)", $1) } + [
            ("carpet-factor", carpetFactor), ("start-charge", startPercent),
            ("return-charge", returnPercent), ("resume-charge", resumePercent),
            ("off-charge", offPercent), ("rescue-time", rescueTime), ("dust", dust),
            ("main-brush-life", mainBrushLife), ("side-brush-life", sideBrushLife),
            ("filter-life", filterLife), ("sensor-life", sensorLife),
        ] + wear.ratings
    }
}

extension SweeperSpecification {
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
