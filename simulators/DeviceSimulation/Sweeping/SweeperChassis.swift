/// How sweeping robots of both models move and clean: one body, two equipments.
final class SweeperChassis: ModelSpecification {
    /// The radius of its body.
    let bodyRadius = Rating(0.175, "m", .published("Roborock S5: 353 mm wide; PROTOCOL section 2"))
    /// The highest speed, on the way to somewhere.
    let peakSpeed = Rating(0.3, "m/s", .estimate("robots of this class reach 0.25 to 0.35 m/s"))
    /// The speed backwards onto the dock.
    let dockingSpeed = Rating(0.1, "m/s", .estimate("docking is watched to be slow"))
    /// How fast it speeds up and brakes.
    let acceleration = Rating(0.3, "m/s²", .estimate("at peak speed after 1 s"))
    /// How fast it turns in place.
    let turnRate = Rating(90, "°/s", .estimate("0.18 m/s at wheels 0.23 m apart"))
    /// How fast a turn speeds up and brakes.
    let turnAcceleration = Rating(180, "°/s²", .estimate("at its rate after 0.5 s"))

    /// How far robots keep from each other.
    let apart = Rating(0.05, "m", .estimate("a laser sees another robot to a few centimetres"))

    /// The width that the main brush cleans.
    let brushWidth = Rating(
        0.18, "m", .published("main brushes of Roborock and Xiaomi: 0.17 to 0.18 m"))
    /// How far to the right of the robot's middle the side brush cleans along edges.
    let sideBrushReach = Rating(0.195, "m", .estimate("bristles reach 2 cm beyond the body"))
    /// The distance from lane to lane.
    let laneSpacing = Rating(0.15, "m", .estimate("3 cm of overlap; three cells of the grid"))
    /// The floor that a cleaning of a room cleans on average, without the way to it.
    let coverage = Rating(
        0.93...0.99, "m²/min",
        .published("0.84 to 1.02 in captured payloads of XiaomiRobotVacuumProtocol"))
    /// From where to where the speed on lanes is chosen to keep ``coverage`` in rooms of different shapes.
    let cleaningSpeed = Rating(
        0.05...0.28, "m/s", .estimate("around 0.087 m/s, the coverage by the brush's width"))
    /// The side of the square that a spot cleaning cleans.
    let spotSide = Rating(1.5, "m", .published("Roborock's spot cleaning: 1.5 m × 1.5 m"))

    private init() {}

    /// The body of both models.
    static let standard = SweeperChassis()

    var ratings: [(name: String, rating: Rating)] {
        [
            ("body-radius", bodyRadius), ("peak-speed", peakSpeed),
            ("docking-speed", dockingSpeed), ("acceleration", acceleration),
            ("turn-rate", turnRate), ("turn-acceleration", turnAcceleration),
            ("robots-apart", apart),
            ("brush-width", brushWidth), ("side-brush-reach", sideBrushReach),
            ("lane-spacing", laneSpacing), ("coverage", coverage),
            ("cleaning-speed", cleaningSpeed), ("spot-side", spotSide),
        ]
    }
}

extension SweeperChassis {
    /// A turn in place, in degrees.
    func turning(by degrees: Double) -> Ramp {
        Ramp(length: degrees, speed: turnRate.value, acceleration: turnAcceleration.value)
    }

    /// The drive of a leg of that length, in metres.
    func driving(_ leg: DriveLeg, _ length: Double, cleaningAt speed: Double) -> Ramp {
        let speed =
            switch leg.kind {
            case .travel: peakSpeed.value
            case .edge, .lane: speed
            case .backwards: dockingSpeed.value
            }
        return Ramp(length: length, speed: speed, acceleration: acceleration.value)
    }
}
