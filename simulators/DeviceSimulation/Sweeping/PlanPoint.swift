/// A point of a floor plan, in metres east and north of its south-western corner.
package struct PlanPoint: Hashable, Sendable {
    /// Metres to the east.
    var x: Double
    /// Metres to the north.
    var y: Double

    /// The distance to another point, in metres.
    func distance(to other: PlanPoint) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }

    /// The point so far away in a direction.
    /// - Parameter headingDeg: degrees clockwise from north.
    func moved(by metres: Double, headingDeg: Double) -> PlanPoint {
        let radians = headingDeg * .pi / 180
        return PlanPoint(
            x: x + metres * Mathematics.sine(radians), y: y + metres * Mathematics.cosine(radians))
    }
}

/// Where a robot is and where it looks.
struct Pose: Hashable, Sendable {
    /// The middle of its body.
    var position: PlanPoint
    /// Where it looks, in degrees clockwise from north, 0…360.
    var headingDeg: Double
}

/// Directions on a floor plan.
enum Compass {
    /// The heading from one point to another: degrees clockwise from north, 0…360.
    static func heading(from start: PlanPoint, to end: PlanPoint) -> Double {
        let radians = Mathematics.angle(y: end.x - start.x, x: end.y - start.y)
        return normalized(radians * 180 / .pi)
    }

    /// The same direction from 0 up to 360 degrees.
    static func normalized(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }

    /// The shorter turn from one heading to another: degrees, positive clockwise, −180…180.
    static func turn(from start: Double, to end: Double) -> Double {
        let turn = normalized(end - start)
        return turn > 180 ? turn - 360 : turn
    }
}
