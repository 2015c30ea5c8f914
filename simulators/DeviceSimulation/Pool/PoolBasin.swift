import Basics

/// The pool of a home: a convex outline, a floor that slopes along its length, a main drain.
///
/// The origin is the south-west corner of the rectangle around the outline, x goes east along its length, y goes
/// north along its width; all in metres.
struct PoolBasin: Hashable, Sendable {
    /// A straight piece of the outline, moved inward so far that the robot's centre can touch it.
    struct Wall: Hashable, Sendable {
        /// The direction out of the pool; its length is 1.
        let normal: PoolVector
        /// How far from the origin the line is in that direction.
        let distance: Double

        /// How far a point is from the wall; negative beyond it.
        func gap(to point: PoolVector) -> Double { distance - normal.dot(point) }
    }

    /// The outline seen from above.
    enum Shape: Int, CaseIterable, Hashable, Sendable {
        case rectangle, oval, grecian
    }

    /// The outline.
    let shape: Shape
    /// Its extent from west to east.
    let length: Double
    /// Its extent from south to north.
    let width: Double
    /// Where the robot's centre can be, counter-clockwise.
    let walls: [Wall]
    /// How deep the water is in the west.
    let shallow: Double
    /// How deep the water is in the east.
    let deep: Double
    /// How long the beach in the west is; 0 without one.
    let beach: Double
    /// How high the beach ends above the water.
    let beachTop: Double
    /// Where the main drain is.
    let drain: PoolVector
    /// West of this the water is too shallow for the robot; 0 without a beach.
    let shoreX: Double

    init(ratings: PoolSpecification, using generator: inout SeededGenerator) {
        let numbers = ratings.basin
        let shapes = Shape.allCases
        shape = shapes[Int(generator.nextFraction() * Double(shapes.count))]
        length = generator.draw(numbers.length)
        width = generator.draw(numbers.width)
        deep = generator.draw(numbers.deep)
        let shallow = generator.draw(numbers.shallow)
        let hasBeach = generator.nextFraction() < numbers.beachShare.value
        self.shallow = shallow
        beach = hasBeach ? length * numbers.beach.value : 0
        beachTop = numbers.beachTop.value
        let shore = ratings.drive.shoreDepth.value + beachTop
        shoreX = hasBeach ? beach * shore / (shallow + beachTop) : 0
        drain = PoolVector(
            x: length * (0.75 + 0.1 * generator.nextFraction()),
            y: width * (0.4 + 0.2 * generator.nextFraction()))
        walls = Self.walls(of: shape, length, width, inset: ratings.drive.radius.value)
    }

    /// How deep the water is at `x`; negative on a beach above the water.
    func depth(atX x: Double) -> Double {
        if x < beach { return -beachTop + (shallow + beachTop) * max(x, 0) / beach }
        let from = max(beach, 0.25 * length)
        let share = min(max((x - from) / (0.85 * length - from), 0), 1)
        return shallow + (deep - shallow) * share
    }

    /// How steep the floor is at `x`: metres down for a metre east.
    func slope(atX x: Double) -> Double {
        (depth(atX: x + 0.05) - depth(atX: x - 0.05)) / 0.1
    }

    /// Whether the robot's centre can be at a point, to a micrometre.
    func contains(_ point: PoolVector) -> Bool {
        walls.allSatisfy { $0.gap(to: point) > -1e-6 }
    }

    /// The first wall in a direction, and how far it is.
    /// - Parameter wall: one that does not count, because the point is on it.
    func ray(
        from point: PoolVector, along direction: PoolVector, except wall: Int? = nil
    ) -> (distance: Double, wall: Int) {
        var nearest = (distance: Double.infinity, wall: 0)
        for index in walls.indices where index != wall {
            let closing = walls[index].normal.dot(direction)
            guard closing > 1e-9 else { continue }
            let distance = max(0, walls[index].gap(to: point) / closing)
            if distance < nearest.distance { nearest = (distance, index) }
        }
        return nearest
    }

    /// The wall that is nearest to a point, without those behind a beach.
    func nearestWall(to point: PoolVector) -> Int {
        var nearest = (gap: Double.infinity, wall: 0)
        for (index, wall) in walls.enumerated() where beach == 0 || wall.normal.x > -1e-6 {
            let gap = wall.gap(to: point)
            if gap < nearest.gap { nearest = (gap, index) }
        }
        return nearest.wall
    }

    /// The corners of each outline, counter-clockwise, then the lines between them.
    private static func walls(
        of shape: Shape, _ length: Double, _ width: Double, inset: Double
    ) -> [Wall] {
        let corners = corners(of: shape, length, width)
        return corners.indices.map { index in
            let (from, to) = (corners[index], corners[(index + 1) % corners.count])
            let along = PoolVector(x: to.x - from.x, y: to.y - from.y)
            let normal = PoolVector(x: along.y / along.length, y: -along.x / along.length)
            return Wall(normal: normal, distance: normal.dot(from) - inset)
        }
    }

    private static func corners(
        of shape: Shape, _ length: Double, _ width: Double
    ) -> [PoolVector] {
        switch shape {
        case .rectangle:
            return [(0, 0), (length, 0), (length, width), (0, width)].map(PoolVector.init)
        case .oval:
            return (0..<24).map { index in
                let angle = 2 * Double.pi * Double(index) / 24
                return PoolVector(
                    x: length / 2 * (1 + Mathematics.cosine(angle)),
                    y: width / 2 * (1 + Mathematics.sine(angle)))
            }
        case .grecian:
            let cut = width / 4
            return [
                (cut, 0), (length - cut, 0), (length, cut), (length, width - cut),
                (length - cut, width), (cut, width), (0, width - cut), (0, cut),
            ].map(PoolVector.init)
        }
    }
}

/// A place or a direction in a pool, in metres.
struct PoolVector: Hashable, Sendable {
    /// How far east.
    var x: Double
    /// How far north.
    var y: Double

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The direction of a heading, in degrees clockwise from north.
    init(heading: Double) {
        let angle = heading * .pi / 180
        self.init(x: Mathematics.sine(angle), y: Mathematics.cosine(angle))
    }

    /// Its length.
    var length: Double { (x * x + y * y).squareRoot() }

    /// The heading in this direction, in degrees clockwise from north, 0 to less than 360.
    var heading: Double {
        let degrees = Mathematics.angle(y: x, x: y) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// The product of both lengths and the cosine between them.
    func dot(_ other: PoolVector) -> Double { x * other.x + y * other.y }

    /// The point so far away in a direction.
    func moved(_ distance: Double, along direction: PoolVector) -> PoolVector {
        PoolVector(x: x + direction.x * distance, y: y + direction.y * distance)
    }
}
