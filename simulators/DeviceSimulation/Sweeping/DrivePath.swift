/// A way over a floor, leg by leg, as it was planned: immutable, and shared by the robots that drive it.
struct DrivePath: Hashable, Sendable {
    /// Where it begins.
    let start: PlanPoint
    /// Its legs.
    let legs: [DriveLeg]
    /// The top speed while it cleans, in m/s.
    let cleaningSpeed: Double
    /// How many cells of the grid it cleans.
    let cells: Int

    /// A way that cleans nothing.
    init(from start: PlanPoint, legs: [DriveLeg]) {
        self.init(from: start, legs: legs, cleaningSpeed: 0)
    }

    init(from start: PlanPoint, legs: [DriveLeg], cleaningSpeed: Double) {
        self.start = start
        self.legs = legs
        self.cleaningSpeed = cleaningSpeed
        cells = legs.reduce(0) { $0 + Int($1.cells) }
    }

    /// The corners, its start included.
    var corners: [PlanPoint] { [start] + legs.map(\.end) }

    /// How long it takes from rest, in seconds.
    /// - Parameter speed: while it cleans, in m/s.
    func duration(_ robot: SweeperChassis, cleaningAt speed: Double) -> Double {
        var seconds = 0.0
        var point = start
        var heading: Double?
        for leg in legs {
            let course = leg.heading(from: point) ?? heading ?? 0
            let turn = heading.map { Compass.turn(from: $0, to: course).magnitude } ?? 0
            seconds += robot.turning(by: turn).duration
            seconds += robot.driving(leg, point.distance(to: leg.end), cleaningAt: speed).duration
            (point, heading) = (leg.end, course)
        }
        return seconds
    }
}

/// A straight piece of a way, eight bytes.
struct DriveLeg: Hashable, Sendable {
    /// How it is driven.
    enum Kind: UInt8, Hashable, Sendable {
        /// On the way to somewhere.
        case travel
        /// Cleaning, with the wall on the right.
        case edge
        /// Cleaning, on a lane or from one to the next.
        case lane
        /// Backwards, onto the dock.
        case backwards
    }

    private let x: UInt16
    private let y: UInt16
    /// How many cells it cleans that the way before it has not.
    let cells: UInt16
    private let carpet: UInt8
    /// How it is driven.
    let kind: Kind

    /// - Parameters:
    ///   - end: on a plan of at most 65 m; kept to the millimetre.
    ///   - carpetShare: how much of it leads over carpets, 0…1.
    init(to end: PlanPoint, _ kind: Kind, cells: Int = 0, carpetShare: Double = 0) {
        x = UInt16(clamping: Int((end.x * 1000).rounded()))
        y = UInt16(clamping: Int((end.y * 1000).rounded()))
        self.kind = kind
        self.cells = UInt16(clamping: cells)
        carpet = UInt8(clamping: Int((carpetShare * 255).rounded()))
    }

    /// Where it ends.
    var end: PlanPoint { PlanPoint(x: Double(x) / 1000, y: Double(y) / 1000) }

    /// How much of it leads over carpets, 0…1.
    var carpetShare: Double { Double(carpet) / 255 }

    /// Whether it cleans.
    var cleans: Bool {
        switch kind {
        case .edge, .lane: true
        case .travel, .backwards: false
        }
    }

    /// Where a robot looks on it; `nil` where it leads nowhere.
    func heading(from start: PlanPoint) -> Double? {
        guard start != end else { return nil }
        let course = Compass.heading(from: start, to: end)
        return kind == .backwards ? Compass.normalized(course + 180) : course
    }
}
