/// A straight piece between two points.
struct PlanSegment: Hashable, Sendable {
    /// Where it begins.
    let start: PlanPoint
    /// Where it ends.
    let end: PlanPoint

    /// The distance from a point, in metres.
    func distance(to point: PlanPoint) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        guard square > 0 else { return start.distance(to: point) }
        let along = ((point.x - start.x) * dx + (point.y - start.y) * dy) / square
        let share = min(max(along, 0), 1)
        return point.distance(to: PlanPoint(x: start.x + share * dx, y: start.y + share * dy))
    }

    /// The point so much of the way from start to end.
    func point(at share: Double) -> PlanPoint {
        PlanPoint(x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share)
    }

    /// The distance from another piece, in metres; 0 where they cross.
    func distance(to other: PlanSegment) -> Double {
        if crosses(other) { return 0 }
        return min(
            min(distance(to: other.start), distance(to: other.end)),
            min(other.distance(to: start), other.distance(to: end)))
    }

    /// Positive for a point on the right, as seen from start to end.
    func side(of point: PlanPoint) -> Double {
        (point.x - start.x) * (end.y - start.y) - (point.y - start.y) * (end.x - start.x)
    }

    private func crosses(_ other: PlanSegment) -> Bool {
        side(of: other.start) * side(of: other.end) < 0
            && other.side(of: start) * other.side(of: end) < 0
    }

    /// The smallest box along the axes around it.
    var bounds: PlanBounds {
        PlanBounds(
            x: min(start.x, end.x)...max(start.x, end.x),
            y: min(start.y, end.y)...max(start.y, end.y))
    }
}

/// A box along the axes.
struct PlanBounds: Hashable, Sendable {
    /// From west to east, in metres.
    var x: ClosedRange<Double>
    /// From south to north, in metres.
    var y: ClosedRange<Double>

    /// The box with a margin all around.
    func widened(by margin: Double) -> PlanBounds {
        PlanBounds(
            x: x.lowerBound - margin...x.upperBound + margin,
            y: y.lowerBound - margin...y.upperBound + margin)
    }

    /// Whether the two have a point in common.
    func overlaps(_ other: PlanBounds) -> Bool {
        x.overlaps(other.x) && y.overlaps(other.y)
    }

    /// Whether a point lies in it.
    func contains(_ point: PlanPoint) -> Bool { x.contains(point.x) && y.contains(point.y) }
}

/// An area by its corners in their order.
struct PlanPolygon: Hashable, Sendable {
    /// The corners; at least three.
    let corners: [PlanPoint]

    /// Its edges; the last one leads back to the first corner.
    var edges: [PlanSegment] {
        zip(corners, corners.dropFirst() + corners.prefix(1)).map {
            PlanSegment(start: $0, end: $1)
        }
    }

    /// The smallest box along the axes around it.
    var bounds: PlanBounds {
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        return PlanBounds(
            x: (xs.min() ?? 0)...(xs.max() ?? 0), y: (ys.min() ?? 0)...(ys.max() ?? 0))
    }

    /// Its size in m² (shoelace formula).
    var area: Double {
        edges.reduce(0) { $0 + $1.start.x * $1.end.y - $1.end.x * $1.start.y }.magnitude / 2
    }

    /// Whether a point lies inside (the number of edges that a ray to the east crosses is odd).
    func contains(_ point: PlanPoint) -> Bool {
        var isInside = false
        var last = corners.count - 1
        for index in corners.indices {
            let (a, b) = (corners[index], corners[last])
            last = index
            guard (a.y > point.y) != (b.y > point.y) else { continue }
            if point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
        }
        return isInside
    }

    /// The distance from a point to the outline, in metres.
    func distance(to point: PlanPoint) -> Double {
        edges.map { $0.distance(to: point) }.min() ?? .infinity
    }
}

extension PlanPolygon {
    /// A rectangle along the axes.
    static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Self {
        PlanPolygon(corners: [
            PlanPoint(x: west, y: south), PlanPoint(x: east, y: south),
            PlanPoint(x: east, y: north), PlanPoint(x: west, y: north),
        ])
    }

    /// Something round, as an octagon around it.
    static func round(_ x: Double, _ y: Double, radius: Double) -> Self {
        let middle = PlanPoint(x: x, y: y)
        // The octagon's edges, not its corners, touch the circle.
        let reach = radius / Mathematics.cosine(.pi / 8)
        return PlanPolygon(
            corners: (0..<8).map { index in
                middle.moved(by: reach, headingDeg: 22.5 - Double(index) * 45)
            })
    }

    /// The polygon with every corner put elsewhere.
    func mapped(_ place: (PlanPoint) -> PlanPoint) -> PlanPolygon {
        PlanPolygon(corners: corners.map(place))
    }
}
