/// A way that a sweeping robot drives, leg by leg: position and progress follow from the time
/// driven, so that it is never anywhere without having driven there.
struct SweepingRoute: Hashable, Sendable {
    /// A straight piece of the way.
    struct Leg: Hashable, Sendable {
        /// Where it ends.
        let end: PlanPoint
        /// How fast it is driven, in m/s.
        let speed: Double
        /// The floor that is cleaned per metre, in m²; 0 on the way to somewhere.
        let areaPerMetre: Double
    }

    /// What was driven in a stretch of time.
    struct Drive: Hashable, Sendable {
        /// The time that it took, in seconds.
        var seconds = 0.0
        /// Of that, the time with the brushes on the floor, in seconds.
        var cleaningSeconds = 0.0
        /// The floor that was cleaned, in m².
        var area = 0.0
    }

    private var legs: [Leg]
    private var next = 0
    /// The time driven so far, in seconds.
    private(set) var drivenSeconds = 0.0
    private let totalSeconds: Double

    /// A way that begins at `start`.
    init(_ legs: [Leg], from start: PlanPoint) {
        self.legs = legs
        var (seconds, point) = (0.0, start)
        for leg in legs {
            seconds += point.distance(to: leg.end) / leg.speed
            point = leg.end
        }
        totalSeconds = seconds
    }

    /// Whether the end is reached.
    var isOver: Bool { next >= legs.count }

    /// The corners of the whole way, without its start.
    var corners: [PlanPoint] { legs.map(\.end) }

    /// How much of the time is over, 0…100.
    var percent: Double {
        totalSeconds > 0 ? min(100, drivenSeconds / totalSeconds * 100) : 100
    }

    /// Drives on for at most `seconds`, to the end of the current leg at most.
    mutating func drive(
        _ seconds: Double, position: inout PlanPoint, heading: inout Double
    ) -> Drive {
        guard !isOver else { return Drive() }
        let leg = legs[next]
        let distance = position.distance(to: leg.end)
        let moved = min(distance, leg.speed * seconds)
        if moved > 0 { heading = Compass.heading(from: position, to: leg.end) }
        if moved >= distance {
            position = leg.end
            next += 1
        } else {
            position.x += (leg.end.x - position.x) * moved / distance
            position.y += (leg.end.y - position.y) * moved / distance
        }
        let used = moved / leg.speed
        drivenSeconds += used
        return Drive(
            seconds: used, cleaningSeconds: leg.areaPerMetre > 0 ? used : 0,
            area: moved * leg.areaPerMetre)
    }
}

/// Directions on a floor plan.
enum Compass {
    /// The heading from one point to another: degrees clockwise from north, 0…360.
    static func heading(from start: PlanPoint, to end: PlanPoint) -> Double {
        let radians = Mathematics.angle(y: end.x - start.x, x: end.y - start.y)
        let degrees = radians * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}
