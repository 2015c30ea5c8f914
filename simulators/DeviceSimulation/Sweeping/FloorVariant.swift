import Basics
import DeviceDomain

/// Which floor a home has: a template, and how it was changed.
struct FloorVariant: Hashable, Sendable {
    /// The index of the template.
    let template: Int
    /// Whether west and east are exchanged.
    let isMirroredX: Bool
    /// Whether south and north are exchanged.
    let isMirroredY: Bool
    /// The index of the scale.
    let scale: Int
    /// Which of the arrangements its furniture has.
    let arrangement: Int

    /// How much larger a floor is than its template (an estimate: beyond it passages between furniture would
    /// close, or a charge would not do for one cleaning).
    static let scales = [0.95, 1, 1.06]
    /// How many arrangements of furniture there are.
    static let arrangements = 4

    /// The floor of a home: the same for all robots that have the home and its seed.
    init(home: HomeID, seed: UInt64) {
        var generator = SeededGenerator(seed: seed, home: home, purpose: "floor")
        template = Int.random(in: FloorTemplate.all.indices, using: &generator)
        isMirroredX = Bool.random(using: &generator)
        isMirroredY = Bool.random(using: &generator)
        scale = Int.random(in: Self.scales.indices, using: &generator)
        arrangement = Int.random(in: 0..<Self.arrangements, using: &generator)
    }

    init(
        template: Int, isMirroredX: Bool = false, isMirroredY: Bool = false, scale: Int = 1,
        arrangement: Int = 0
    ) {
        self.template = template
        self.isMirroredX = isMirroredX
        self.isMirroredY = isMirroredY
        self.scale = scale
        self.arrangement = arrangement
    }

    /// The floor itself.
    func plan(for robot: SweeperChassis) -> FloorPlan {
        let drawn = FloorTemplate.all[template]
        let size = PlanPolygon(corners: drawn.rooms.flatMap(\.outline.corners)).bounds
        let (factor, width, depth) = (
            Self.scales[scale], size.x.upperBound, size.y.upperBound
        )
        func place(_ point: PlanPoint) -> PlanPoint {
            PlanPoint(
                x: ((isMirroredX ? width - point.x : point.x) * factor).rounded(decimals: 3),
                y: ((isMirroredY ? depth - point.y : point.y) * factor).rounded(decimals: 3))
        }
        let doors = drawn.doors.map { FloorDoor(middle: place($0.middle), width: $0.width) }
        let rooms = drawn.rooms.enumerated().map { index, room in
            let outline = room.outline.mapped(place)
            return FloorRoom(
                id: index + 1, name: room.name, outline: outline,
                doors: doors.filter { outline.distance(to: $0.middle) < 1e-6 })
        }
        let furniture = drawn.furniture.enumerated().map { index, piece in
            moved(piece, number: index).mapped(place)
        }
        let noGo = drawn.noGo.map { $0.mapped(place) }
        let docks = DockPlaces(
            rooms: drawn.dockRooms.compactMap { id in rooms.first { $0.id == id } },
            taken: (furniture + noGo).map(\.bounds), robot: robot
        ).found
        return FloorPlan(
            rooms: rooms, obstacles: furniture + docks.map(\.housing),
            carpets: drawn.carpets.map { $0.mapped(place) }, noGo: noGo, docks: docks)
    }

    /// A piece of furniture where this arrangement has it: as it was drawn, or as far as it may stand from
    /// there.
    private func moved(_ piece: FloorTemplate.Furniture, number: Int) -> PlanPolygon {
        let bits = SeededGenerator.mix(UInt64(arrangement * 64 + number))
        let (x, y) = (Double(bits % 3) - 1, Double(bits / 3 % 3) - 1)
        return piece.outline.mapped {
            PlanPoint(x: $0.x + x * piece.slideX, y: $0.y + y * piece.slideY)
        }
    }
}

/// The places at the walls of a floor where docks can stand.
struct DockPlaces {
    /// The places, as far as there are any, at most ``most``.
    let found: [FloorDock]

    /// How many a home has: robots beyond them share one.
    static let most = 6
    /// How far a dock stands out from the wall, in metres (an estimate: housings of charging docks are 0.1 to
    /// 0.15 m deep, without the plate under the robot).
    static let housingDepth = 0.12
    /// How wide a dock is, in metres (an estimate: 0.15 to 0.35 m).
    static let housingWidth = 0.3
    /// How far from the wall the floor in front of a dock is free, in metres, so that a robot can leave it and
    /// turn.
    static let freeDepth = 1.0
    /// Half of how wide that floor is, in metres.
    static let halfFreeWidth = 0.35
    /// How far a docked robot's body is from the housing, in metres.
    static let gap = 0.01
    /// How far apart possible places along a wall are, in metres.
    private static let spacing = 0.1

    /// - Parameter taken: what stands on the floor.
    init(rooms: [FloorRoom], taken: [PlanBounds], robot: SweeperChassis) {
        var found: [FloorDock] = []
        var taken = taken
        // One at each wall before the second at any.
        for _ in 0..<Self.most {
            for room in rooms {
                for edge in room.outline.edges where found.count < Self.most {
                    guard let (dock, floor) = Self.place(at: edge, of: room, taken, robot) else {
                        continue
                    }
                    found.append(dock)
                    taken.append(floor)
                }
            }
        }
        self.found = found
    }

    private static func place(
        at edge: PlanSegment, of room: FloorRoom, _ taken: [PlanBounds],
        _ robot: SweeperChassis
    ) -> (FloorDock, PlanBounds)? {
        let length = edge.start.distance(to: edge.end)
        let along = Compass.heading(from: edge.start, to: edge.end)
        var offset = halfFreeWidth + 0.1
        while offset <= length - halfFreeWidth - 0.1 {
            let wall = edge.start.moved(by: offset, headingDeg: along)
            offset += spacing
            let inwards = [along + 90, along - 90].map(Compass.normalized).first {
                room.outline.contains(wall.moved(by: 0.05, headingDeg: $0))
            }
            guard let inwards else { continue }
            let floor = strip(at: wall, inwards, depth: freeDepth, halfWidth: halfFreeWidth)
            let middle = wall.moved(by: freeDepth / 2, headingDeg: inwards)
            let isFree =
                floor.corners.allSatisfy {
                    room.outline.contains(middle.moved(towards: $0, by: 0.99))
                }
                && !taken.contains { $0.overlaps(floor.bounds) }
                && room.doors.allSatisfy {
                    !floor.bounds.widened(by: $0.width / 2 + 0.05).contains($0.middle)
                }
            guard isFree else { continue }
            let heading = inwards.rounded(decimals: 3)
            let standing = wall.moved(
                by: housingDepth + gap + robot.bodyRadius.value, headingDeg: heading)
            let pose = Pose(
                position: PlanPoint(
                    x: standing.x.rounded(decimals: 3), y: standing.y.rounded(decimals: 3)),
                headingDeg: heading)
            let housing = strip(at: wall, heading, depth: housingDepth, halfWidth: housingWidth / 2)
            return (FloorDock(pose: pose, housing: housing), floor.bounds)
        }
        return nil
    }

    /// A rectangle in front of a point of a wall.
    private static func strip(
        at wall: PlanPoint, _ inwards: Double, depth: Double, halfWidth: Double
    ) -> PlanPolygon {
        let ends = [-90.0, 90.0].map { wall.moved(by: halfWidth, headingDeg: inwards + $0) }
        let corners = [
            ends[0], ends[1], ends[1].moved(by: depth, headingDeg: inwards),
            ends[0].moved(by: depth, headingDeg: inwards),
        ]
        return PlanPolygon(
            corners: corners.map {
                PlanPoint(x: $0.x.rounded(decimals: 3), y: $0.y.rounded(decimals: 3))
            })
    }
}

extension PlanPoint {
    /// The point so much of the way to another one.
    fileprivate func moved(towards other: PlanPoint, by share: Double) -> PlanPoint {
        PlanPoint(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
