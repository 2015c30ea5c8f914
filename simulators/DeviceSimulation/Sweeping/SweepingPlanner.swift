/// Plans the ways of a sweeping robot.
struct SweepingPlanner: Hashable, Sendable {
    /// The floor that it drives on.
    let plan: FloorPlan
    /// The speed while cleaning, in m/s.
    let cleaningSpeed: Double

    /// The width that is cleaned, in m (the main brush of common robots).
    static let brushWidth = 0.18
    /// The speed on the way to somewhere, in m/s (engineering: robots of this class reach
    /// 0.25…0.35 m/s).
    static let travelSpeed = 0.3
    /// The side of the square that `clean-spot` cleans, in m.
    static let spotSide = 1.5

    /// - Parameter coverage: the floor that is cleaned in straight lines, in m²/min.
    init(plan: FloorPlan, coverage: Double) {
        self.plan = plan
        cleaningSpeed = coverage / 60 / Self.brushWidth
    }

    /// The way to a point, or to where the robot can stand nearest to it.
    func way(from start: PlanPoint, to goal: PlanPoint) -> SweepingRoute {
        SweepingRoute(
            travel(from: start, to: plan.standingPoint(near: goal) ?? goal), from: start)
    }

    /// The way that cleans rooms, in their order.
    func cleaning(of rooms: [FloorRoom], passes: Int, from start: PlanPoint) -> SweepingRoute {
        var legs: [SweepingRoute.Leg] = []
        var position = start
        for room in rooms {
            for _ in 0..<passes {
                append(
                    strokes(over: room.x, room.y, in: room), to: &legs, position: &position)
            }
        }
        return SweepingRoute(legs, from: start)
    }

    /// The way that cleans a square around a point, as far as its room goes.
    func cleaning(around spot: PlanPoint, from start: PlanPoint) -> SweepingRoute {
        var legs: [SweepingRoute.Leg] = []
        var position = start
        if let room = plan.room(at: spot) {
            let half = Self.spotSide / 2
            let x = (spot.x - half...spot.x + half).clamped(to: room.x)
            let y = (spot.y - half...spot.y + half).clamped(to: room.y)
            append(strokes(over: x, y, in: room), to: &legs, position: &position)
        }
        return SweepingRoute(legs, from: start)
    }

    private func travel(from start: PlanPoint, to goal: PlanPoint) -> [SweepingRoute.Leg] {
        plan.route(from: start, to: goal).map {
            SweepingRoute.Leg(end: $0, speed: Self.travelSpeed, areaPerMetre: 0)
        }
    }

    private func append(
        _ strokes: Strokes, to legs: inout [SweepingRoute.Leg], position: inout PlanPoint
    ) {
        guard let first = strokes.lines.first else { return }
        legs += travel(from: position, to: first.start)
        for line in strokes.lines {
            legs.append(
                SweepingRoute.Leg(end: line.start, speed: cleaningSpeed, areaPerMetre: 0))
            legs.append(
                SweepingRoute.Leg(
                    end: line.end, speed: cleaningSpeed * strokes.drivenShare,
                    areaPerMetre: strokes.spacing / strokes.drivenShare))
            position = line.end
        }
    }

    /// Parallel lines that cover a rectangle, back and forth along its longer side.
    private struct Strokes {
        var lines: [(start: PlanPoint, end: PlanPoint)] = []
        let spacing: Double
        /// How much of a line's length the robot's middle drives: at a wall the brush cleans what
        /// lies before it. The robot slows down by as much, so that its coverage stays the same.
        let drivenShare: Double
    }

    /// - Parameter room: the room of the rectangle; no line comes nearer to its walls than
    ///   ``FloorPlan/clearance``.
    private func strokes(
        over x: ClosedRange<Double>, _ y: ClosedRange<Double>, in room: FloorRoom
    ) -> Strokes {
        let isWide = x.length >= y.length
        let (along, across) = isWide ? (x, y) : (y, x)
        let reach = (isWide ? room.x : room.y).narrowed(by: FloorPlan.clearance)
        let driven = along.clamped(to: reach)
        let count = max(1, Int((across.length / Self.brushWidth).rounded(.up)))
        let spacing = across.length / Double(count)
        var strokes = Strokes(spacing: spacing, drivenShare: driven.length / along.length)
        for index in 0..<count {
            let offset = across.lowerBound + (Double(index) + 0.5) * spacing
            let ends = [driven.lowerBound, driven.upperBound].map { position in
                isWide ? PlanPoint(x: position, y: offset) : PlanPoint(x: offset, y: position)
            }
            strokes.lines.append(
                index.isMultiple(of: 2) ? (ends[0], ends[1]) : (ends[1], ends[0]))
        }
        return strokes
    }
}

extension ClosedRange<Double> {
    fileprivate var length: Double { upperBound - lowerBound }
}
