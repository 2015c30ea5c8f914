import DeviceDomain

/// The numbers of one model of pool robot and of the pool in which it works; all of its devices share them.
final class PoolSpecification: ModelSpecification {
    /// How long each program takes.
    let programs: PoolProgramRatings
    /// How it moves.
    let drive: PoolDriveRatings
    /// What its pump does.
    let pump: PoolPumpRatings
    /// Its filter.
    let filter: PoolFilterRatings
    /// Its battery; `nil` for a robot on a tether.
    let battery: PoolBatteryRatings?
    /// Its tether and the supply beside the pool; `nil` for a robot with a battery.
    let supply: PoolSupplyRatings?
    /// When it protects itself.
    let protection = PoolProtectionRatings()
    /// What its sensors measure and how well.
    let sensors: PoolSensorRatings
    /// The pool.
    let basin: PoolBasinRatings
    /// The water.
    let climate: PoolClimateRatings
    /// What its owner does.
    let owner: PoolOwnerRatings

    private init(
        programs: PoolProgramRatings, battery: PoolBatteryRatings?, supply: PoolSupplyRatings?,
        with parts: Parts = Parts()
    ) {
        self.programs = programs
        self.battery = battery
        self.supply = supply
        drive = parts.drive
        pump = parts.pump
        filter = parts.filter
        sensors = parts.sensors
        basin = parts.basin
        climate = parts.climate
        owner = parts.owner
    }

    /// `pool-p1`: on a tether.
    static let p1 = PoolSpecification(
        programs: PoolProgramRatings(
            floor: Rating(60, "min", .published(offers)),
            walls: Rating(90, "min", .published(offers)),
            waterline: Rating(60, "min", .published(offers)),
            full: Rating(120, "min", .published(offers))),
        battery: nil, supply: PoolSupplyRatings())

    /// `pool-c1`: cordless.
    static let c1 = PoolSpecification(
        programs: PoolProgramRatings(
            floor: Rating(45, "min", .estimate(oneCharge)),
            walls: Rating(60, "min", .estimate(oneCharge)),
            waterline: Rating(45, "min", .estimate(oneCharge)),
            full: Rating(80, "min", .estimate(oneCharge))),
        battery: PoolBatteryRatings(), supply: nil)

    private static let offers =
        "durations of Zodiac VR robots, e.g. [60,90,120,150] min (galletn iaqualink, vr.py)"
    private static let oneCharge = "cordless robots run 60–90 min on one charge (vendors' figures)"
}

// What can be given for some of its devices.
extension PoolSpecification {
    /// The parts that both models have.
    private struct Parts {
        var drive = PoolDriveRatings()
        var pump = PoolPumpRatings()
        var filter = PoolFilterRatings()
        var sensors = PoolSensorRatings()
        var basin = PoolBasinRatings()
        var climate = PoolClimateRatings()
        var owner = PoolOwnerRatings()
    }

    private static var numbers: [(name: String, path: WritableKeyPath<Parts, Rating>)] {
        [
            ("drive.speed", \.drive.speed), ("drive.climbSpeed", \.drive.climbSpeed),
            ("drive.sinkSpeed", \.drive.sinkSpeed), ("drive.slip", \.drive.slip),
            ("drive.lineStretch", \.drive.lineStretch), ("drive.sideStep", \.drive.sideStep),
            ("drive.catchTime", \.drive.catchTime), ("drive.trackLife", \.drive.trackLife),
            ("drive.trackAge", \.drive.trackAge), ("pump.tolerance", \.pump.tolerance),
            ("filter.clogging", \.filter.clogging),
            ("sensors.temperatureOffset", \.sensors.temperatureOffset),
            ("sensors.depthOffset", \.sensors.depthOffset), ("basin.length", \.basin.length),
            ("basin.width", \.basin.width), ("basin.shallow", \.basin.shallow),
            ("basin.deep", \.basin.deep), ("climate.waterMean", \.climate.waterMean),
            ("climate.waterSeason", \.climate.waterSeason),
            ("climate.waterSwing", \.climate.waterSwing), ("owner.airTime", \.owner.airTime),
        ]
    }

    var adjustable: [String] { Self.numbers.map(\.name) }

    func adjusted(to parameters: [String: ClosedRange<Double>]) -> PoolSpecification {
        var parts = Parts()
        for (name, path) in Self.numbers {
            if let range = parameters[name] {
                parts[keyPath: path] = parts[keyPath: path].narrowed(to: range)
            }
        }
        return PoolSpecification(programs: programs, battery: battery, supply: supply, with: parts)
    }
}

extension PoolSpecification {
    /// Whether a battery holds less than one of the model's charges; never on a tether.
    func isBelow(_ charge: KeyPath<PoolBatteryRatings, Rating>, _ pack: BatteryPack?) -> Bool {
        guard let pack, let battery else { return false }
        return pack.percent < battery[keyPath: charge].value
    }
}

/// How long each program takes.
struct PoolProgramRatings: Sendable {
    let floor: Rating
    let walls: Rating
    let waterline: Rating
    let full: Rating

    /// How long a program takes, in seconds.
    func seconds(of program: PoolRobot.Program) -> Double {
        let rating =
            switch program {
            case .floor: floor
            case .walls: walls
            case .waterline: waterline
            case .full: full
            }
        return rating.value * 60
    }
}

/// A number for each power level.
struct PoolLevelRatings: Sendable {
    let eco: Rating
    let normal: Rating
    let boost: Rating

    /// The number at a level.
    subscript(level: PoolRobot.PowerLevel) -> Double {
        switch level {
        case .eco: eco.value
        case .normal: normal.value
        case .boost: boost.value
        }
    }
}

/// How a pool robot moves.
struct PoolDriveRatings: Sendable {
    /// The speed on the floor at normal power.
    var speed = Rating(
        0.20...0.24, "m/s", .estimate("robots of this class cross 10 m in 40 to 50 s"))
    /// The speed up a wall with an open filter.
    var climbSpeed = Rating(
        0.10...0.13, "m/s", .estimate("about half of the speed on the floor"))
    /// The speed along the waterline without slip.
    let lineSpeed = Rating(0.12, "m/s", .estimate("as on the wall"))
    /// The share of ``speed`` by power level.
    let levels = PoolLevelRatings(
        eco: Rating(0.85, "1", .estimate("less voltage on the drive")),
        normal: Rating(1, "1", .estimate("by definition")),
        boost: Rating(1.15, "1", .estimate("more voltage on the drive")))
    /// How fast it turns.
    let turnSpeed = Rating(30, "deg/s", .estimate("half a turn in 6 s"))
    /// How fast it tilts between floor and wall.
    let tiltSpeed = Rating(30, "deg/s", .estimate("from floor to wall in 3 s"))
    /// How far the new direction at a wall deviates from the wall's normal, either way.
    let turnSpread = Rating(60, "deg", .estimate("random turns as of robots with a gyroscope"))
    /// The width that the brushes clean.
    let brushWidth = Rating(0.4, "m", .estimate("robots of this class are 0.4 m wide"))
    /// The part of the driven area that is not cleaned already.
    let freshShare = Rating(
        0.55, "1", .estimate("makes about 3 m²/min at normal power with random turns"))
    /// From its centre to a wall.
    let radius = Rating(0.25, "m", .estimate("half of its length with the brushes"))
    /// From the floor to the depth sensor.
    let sensorHeight = Rating(0.12, "m", .estimate("half of its height"))
    /// How deep the sensor is when it is at the waterline.
    let lineDepth = Rating(0.08, "m", .estimate("its brush breaks the surface"))
    /// How fast it sinks with its motors off.
    var sinkSpeed = Rating(
        0.15...0.25, "m/s", .estimate("slightly heavier than water: about 1 kg net in water"))
    /// The probability per second that it slips at the waterline with an open filter.
    let slipChance = Rating(0.10, "1/s", .estimate("wet tiles; doubles with half the suction"))
    /// How far it slips.
    var slip = Rating(0.03...0.12, "m", .estimate("seen as bobbing at the waterline"))
    /// How far it moves along the waterline before it comes down, where the program cleans it.
    var lineStretch = Rating(4...10, "m", .estimate("half of a long side and more"))
    /// How far it moves sideways at the top of a climb.
    var sideStep = Rating(0.4...0.8, "m", .estimate("one to two widths of the brushes"))
    /// The probability that it climbs the same wall again in the program `walls`.
    let climbAgain = Rating(0.75, "1", .estimate("four climbs a wall on average"))
    /// The probability that it climbs at a wall in the program `full`.
    let climbInFull = Rating(0.5, "1", .estimate("about half of the time on walls"))
    /// The probability that such a climb is for the waterline.
    let lineInFull = Rating(0.25, "1", .estimate("the waterline of a pool once in a program"))
    /// The probability that it is caught when it crosses the main drain.
    let catchChance = Rating(0.005, "1", .estimate("once in about twenty programs"))
    /// How long it takes to free itself, most often less than half of the longest time.
    var catchTime = Rating(5...300, "s", .estimate("rocks to and fro until it comes free"))
    /// The probability that the tracks are blocked when it is caught.
    let stallChance = Rating(0.3, "1", .estimate("else the tracks slip"))
    /// How close to the drain it can be caught.
    let drainRadius = Rating(0.25, "m", .estimate("half of its own length"))
    /// The probability that it drives out of the water on a beach.
    let beachChance = Rating(0.001, "1", .estimate("it turns as soon as the pump draws air"))
    /// The depth at which it turns on a beach.
    let shoreDepth = Rating(0.3, "m", .estimate("the pump draws air"))
    /// How long its tracks last.
    var trackLife = Rating(600...1500, "h", .estimate("tracks are replaced after 2 to 5 years"))
    /// How old its tracks are at the start of a simulation.
    var trackAge = Rating(0...300, "h", .estimate("up to a year of use"))
}

/// The pump of a pool robot.
struct PoolPumpRatings: Sendable {
    /// The nominal voltage of the motors.
    let voltage = Rating(
        24, "V", .published("Dolphin: 24–29 V; Polaris 9300 Sport: 28 V (proudgreenhome review)"))
    /// The current of the pump by power level.
    let current = PoolLevelRatings(
        eco: Rating(1.3, "A", .estimate("flow falls with the cube root of the power")),
        normal: Rating(
            1.8, "A", .published("Dolphin with its fan only (i-love-my-aquabot.com, measured)")),
        boost: Rating(2.3, "A", .estimate("Polaris 9300 Sport takes about 70 W in all")))
    /// The suction by power level, with an open filter.
    let suction = PoolLevelRatings(
        eco: Rating(0.85, "1", .estimate("flow falls with the cube root of the power")),
        normal: Rating(1, "1", .estimate("by definition")),
        boost: Rating(1.1, "1", .estimate("flow rises with the cube root of the power")))
    /// What the drive adds.
    let driveCurrent = Rating(
        0.5, "A", .published("Dolphin: 2.3 A instead of 1.8 A (i-love-my-aquabot.com, measured)"))
    /// What climbing adds.
    let climbCurrent = Rating(0.3, "A", .estimate("the weight in water at 0.1 m/s, with friction"))
    /// What the drive takes with blocked tracks.
    let stallCurrent = Rating(2.5, "A", .estimate("five times the running current"))
    /// What the drive takes without a load.
    let freeCurrent = Rating(0.15, "A", .estimate("friction of the gears"))
    /// The share of the pump's current in air.
    let airShare = Rating(0.4, "1", .estimate("air is no load for an impeller"))
    /// What a full filter adds to the pump's current before dirt passes it, as a share.
    let cloggedShare = Rating(0.15, "1", .estimate("dirt around the impeller"))
    /// What dirt in the impeller adds at most, as a share; from ``jamStart`` on.
    let jamShare = Rating(0.9, "1", .estimate("dirt passes a full filter"))
    /// How clogged the filter is when dirt begins to pass it.
    let jamStart = Rating(95, "%", .estimate("the filter's own report that it is full"))
    /// How much the currents of two devices differ.
    var tolerance = Rating(0.97...1.03, "1", .estimate("windings and bearings"))
}

/// The filter of a pool robot.
struct PoolFilterRatings: Sendable {
    /// The part of the open filter that a cleaned square metre clogs.
    var clogging = Rating(
        0.0006...0.0011, "1/m2", .estimate("full after about 20 h; the dirt of a pool differs"))
    /// How much of the suction a full filter takes.
    let suctionLoss = Rating(0.5, "1", .estimate("suction ~ 1 − 0.5 F"))
    /// How clogged a filter is that counts as full.
    let full = Rating(
        95, "%", .published("Dolphin: 75–99 almost full, 100 full (filterBag states)"))
}

/// The battery of a cordless pool robot.
struct PoolBatteryRatings: Sendable {
    /// What it holds: enough for the longest program at `boost` with a clogged filter.
    let capacity = Rating(130, "Wh", .estimate("80 min at 85 W above the reserve"))
    /// How long a full charge takes.
    let chargeTime = Rating(3, "h", .estimate("vendors: 2.5 to 4 h"))
    /// How many times longer the taper makes a full charge.
    let taperFactor = Rating(
        1.482, "1", .published("integral of the SAP curve for electric cars, BatteryPack.taper"))
    /// The charge at which it gives up and comes up.
    let low = Rating(10, "%", .published("10 to 20 % is usual (Eufy S1 Pro: 10 %)"))
    /// The charge below which it begins no program.
    let start = Rating(20, "%", .estimate("twice the charge at which it gives up"))
    /// The charge at which it no longer holds itself at the waterline.
    let hold = Rating(5, "%", .estimate("kept for the electronics"))
    /// The charge below which its owner charges it.
    let charge = Rating(60, "%", .estimate("charged after each longer program"))
    /// What the electronics take while it rests.
    let idlePower = Rating(0.3, "W", .estimate("a controller with its radio asleep"))
}

/// Tether and supply of a pool robot without a battery.
struct PoolSupplyRatings: Sendable {
    /// The efficiency of the supply.
    let efficiency = Rating(0.88, "1", .estimate("a switched supply of 100 W"))
    /// How much a watt of loss warms it.
    let resistance = Rating(1.6, "K/W", .estimate("a closed plastic box without a fan"))
    /// How fast it warms and cools.
    let timeConstant = Rating(1800, "s", .estimate("about 1 kg in a closed box"))
    /// How much full sun warms it; from shade to full sun, home by home.
    let sun = Rating(0...25, "K", .estimate("a dark box in 1000 W/m²"))
    /// The temperature at which it switches off (Dolphin: error 15).
    let trip = Rating(60, "degC", .estimate("inside the box; electrolytic capacitors end at 85"))
    /// The temperature at which it works again.
    let reset = Rating(48, "degC", .estimate("12 K below the trip"))
    /// From how many turns of the tether on the robot turns the other way round.
    let turnLimit = Rating(3, "1", .estimate("keeps the tether from knotting; no swivel"))
}

/// When a pool robot stops itself. The codes are named after the errors of Dolphin's robots.
struct PoolProtectionRatings: Sendable {
    /// How long the pump runs out of the water.
    let outOfWater = Rating(30, "s", .published("Dolphin: error 2, depth < 0 for more than 30 s"))
    /// How long it moves nowhere.
    let stuck = Rating(120, "s", .estimate("Dolphin: error 14, after its attempts to come free"))
    /// The pump's current that counts as an overload, as a share of that with an open filter.
    let impellerOverload = Rating(1.4, "1", .estimate("Dolphin: errors 3 and 5"))
    /// The pump's current that counts as running without water, as a share of the same.
    let impellerUnderload = Rating(0.6, "1", .estimate("Dolphin: errors 4 and 6"))
    /// How long an overload lasts.
    let overloadTime = Rating(10, "s", .estimate("longer than the start of a motor"))
    /// How long an underload lasts; longer than ``outOfWater``, which comes first in air.
    let underloadTime = Rating(60, "s", .estimate("air bubbles come free before"))
    /// How long the tracks have no load.
    let driveUnderload = Rating(20, "s", .estimate("Dolphin: errors 8 and 10"))
}

/// The sensors of a pool robot.
struct PoolSensorRatings: Sendable {
    /// The step of the temperature.
    let temperatureStep = Rating(
        0.0625, "K", .published("DS18B20 datasheet: 12 bits"))
    /// How wrong the temperature is, device by device.
    var temperatureOffset = Rating(
        -0.5...0.5, "K", .published("DS18B20 datasheet: ±0.5 °C from −10 to +85 °C"))
    /// How fast the temperature follows in water.
    let waterLag = Rating(60, "s", .estimate("a sensor in the flow"))
    /// How fast the temperature follows in air.
    let airLag = Rating(300, "s", .estimate("a wet housing"))
    /// How wrong the depth is, device by device.
    var depthOffset = Rating(-0.03...0.03, "m", .estimate("0.3 kPa of a sensor for 100 kPa"))
    /// The noise of the depth, either way.
    let depthNoise = Rating(0.01, "m", .estimate("waves of a pool in use"))
    /// The noise of the tilt, either way.
    let tiltNoise = Rating(0.5, "deg", .estimate("vibration on an accelerometer"))
    /// The noise of the current, either way, as a share.
    let currentNoise = Rating(0.01, "1", .estimate("a shunt with a 10-bit converter"))
}

/// The pool of a home.
struct PoolBasinRatings: Sendable {
    /// How long it is.
    var length = Rating(7...12, "m", .estimate("private pools"))
    /// How wide it is.
    var width = Rating(3.5...5.5, "m", .estimate("private pools"))
    /// How deep the shallow end is.
    var shallow = Rating(0.9...1.3, "m", .estimate("private pools"))
    /// How deep the deep end is.
    var deep = Rating(1.5...2.3, "m", .estimate("private pools"))
    /// The part of the pools whose shallow end is a beach.
    let beachShare = Rating(0.15, "1", .estimate("one pool in seven"))
    /// How long a beach is, as a share of the length.
    let beach = Rating(0.4, "1", .estimate("flat enough to walk on"))
    /// How high a beach ends above the water.
    let beachTop = Rating(0.15, "m", .estimate("one step"))
}

/// The water of a pool, 50° north and without heating.
struct PoolClimateRatings: Sendable {
    /// The mean of the water over the year.
    var waterMean = Rating(14...17, "degC", .estimate("follows the mean of the air and the sun"))
    /// How far the water swings over the year.
    var waterSeason = Rating(8...10, "K", .estimate("5 °C in winter, 26 °C in summer"))
    /// The day of the year on which the water is warmest.
    let waterPeakDay = Rating(210, "d", .estimate("end of July, a week after the air"))
    /// How far the water swings over the day.
    var waterSwing = Rating(0.8...0.95, "K", .estimate("below 1 K for 50 m³"))
    /// The hour at which the water is warmest, local time.
    let waterPeakHour = Rating(17.5, "h", .estimate("the sun's heat ends when it sinks"))
    /// The least and the most that the water has.
    let waterLimits = Rating(5...35, "degC", .estimate("a pool that is kept from freezing"))
}

/// What the owner of a pool robot does.
struct PoolOwnerRatings: Sendable {
    /// How long it takes until the owner comes, and until the robot is back in the water.
    let delay = Rating(600, "s", .estimate("somebody is at home"))
    /// How long a worn part takes.
    let repair = Rating(172_800, "s", .estimate("ordered and delivered in two days"))
    /// The probability that a full filter has to wait for the next day.
    let awayChance = Rating(0.15, "1", .estimate("a day in a week"))
    /// The probability that air stays in the robot when it is put back.
    let airChance = Rating(0.02, "1", .estimate("manuals ask to let the air out"))
    /// How long trapped air stays.
    var airTime = Rating(30...600, "s", .estimate("it escapes through the filter"))
    /// How long the robot holds itself at the waterline for its owner.
    let pickUp = Rating(300, "s", .published("Dolphin: cleaning mode pickup, 5 min"))
}
