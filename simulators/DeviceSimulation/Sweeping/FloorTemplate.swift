/// A floor as it was drawn, before a home gets a variant of it; lengths in metres.
///
/// The templates are estimates: usual rooms, passages of at least 0.5 m, and doors of 0.7 to 1.2 m, as building
/// standards have them (DIN 18101: 0.735 to 0.985 m between rooms).
struct FloorTemplate: Sendable {
    /// The rooms by their names; their ids are 1, 2, … in this order.
    let rooms: [(name: String, outline: PlanPolygon)]
    /// The doors: their middle on a wall of two rooms, and their width.
    let doors: [FloorDoor]
    /// What stands on the floor.
    let furniture: [Furniture]
    /// The carpets.
    let carpets: [PlanPolygon]
    /// The areas that robots keep out of.
    let noGo: [PlanPolygon]
    /// The ids of the rooms with docks, the best one first.
    let dockRooms: [Int]

    /// A piece of furniture and how far it may stand from where it was drawn.
    struct Furniture: Sendable {
        let outline: PlanPolygon
        /// To the east or to the west, in metres.
        var slideX = 0.0
        /// To the north or to the south, in metres.
        var slideY = 0.0
    }
}

extension FloorTemplate.Furniture {
    /// Something rectangular.
    static func box(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double,
        slideX: Double = 0, slideY: Double = 0
    ) -> Self {
        Self(outline: .box(west, south, east, north), slideX: slideX, slideY: slideY)
    }

    /// Something round.
    static func round(
        _ x: Double, _ y: Double, radius: Double, slideX: Double = 0, slideY: Double = 0
    ) -> Self {
        Self(outline: .round(x, y, radius: radius), slideX: slideX, slideY: slideY)
    }
}

extension FloorDoor {
    fileprivate init(_ x: Double, _ y: Double, _ width: Double) {
        self.init(middle: PlanPoint(x: x, y: y), width: width)
    }
}

extension FloorTemplate {
    /// All of them.
    static let all = [
        corridorFlat, studio, familyFloor, loft, bungalow, townHouse, gallery,
    ]

    /// Rooms on both sides of a corridor, 49.6 m².
    private static let corridorFlat = FloorTemplate(
        rooms: [
            ("Hall", .box(0, 2.5, 8, 3.5)), ("Living room", .box(0, 3.5, 5.2, 6.2)),
            ("Kitchen", .box(5.2, 3.5, 8, 6.2)), ("Bedroom", .box(0, 0, 3.4, 2.5)),
            ("Bathroom", .box(3.4, 0, 5, 2.5)), ("Study", .box(5, 0, 8, 2.5)),
        ],
        doors: [
            FloorDoor(2.5, 3.5, 0.9), FloorDoor(6.5, 3.5, 0.8), FloorDoor(2.6, 2.5, 0.8),
            FloorDoor(4.2, 2.5, 0.7), FloorDoor(5.8, 2.5, 0.8),
        ],
        furniture: [
            .box(0, 4.2, 0.9, 6, slideY: 0.2),
            .box(1.7, 4.5, 2.6, 5.1, slideX: 0.2, slideY: 0.15),
            .box(1.4, 5.8, 3, 6.2, slideX: 0.2), .box(4.85, 4.2, 5.2, 5.6, slideY: 0.2),
            .box(5.4, 5.6, 8, 6.2), .box(6.2, 4.3, 7.1, 4.9, slideX: 0.15),
            .box(0.5, 0, 2.1, 1.6, slideX: 0.2), .box(2.85, 0.2, 3.4, 1.7),
            .box(3.4, 0, 4.3, 0.9), .box(4.55, 0.3, 5, 0.9, slideY: 0.1), .box(4.55, 1.2, 5, 1.7),
            .box(7.3, 0.5, 8, 2, slideY: 0.2), .box(5.3, 0, 6.6, 0.35, slideX: 0.2),
        ],
        carpets: [.box(1.2, 4.4, 3.4, 5.5), .box(5.6, 0.8, 7, 2)],
        noGo: [.box(7.4, 3.5, 8, 4)], dockRooms: [2, 1, 3, 6, 4])

    /// One large room with a bathroom and a dressing room, 33.3 m².
    private static let studio = FloorTemplate(
        rooms: [
            (
                "Living room",
                PlanPolygon(corners: [
                    PlanPoint(x: 0, y: 0), PlanPoint(x: 6.4, y: 0), PlanPoint(x: 6.4, y: 3),
                    PlanPoint(x: 4, y: 3), PlanPoint(x: 4, y: 5.2), PlanPoint(x: 0, y: 5.2),
                ])
            ),
            ("Bathroom", .box(4, 3, 5.4, 5.2)), ("Dressing room", .box(5.4, 3, 6.4, 5.2)),
        ],
        doors: [FloorDoor(4.6, 3, 0.7), FloorDoor(5.9, 3, 0.7)],
        furniture: [
            .box(0, 3.6, 1.6, 5.2), .box(2.1, 4.4, 3.8, 5.2, slideX: 0.15),
            .box(2.2, 2, 3.2, 2.7, slideX: 0.2, slideY: 0.2), .box(3.6, 0, 5.8, 0.6),
            .box(0, 0.5, 0.35, 2, slideY: 0.3), .round(5, 1.7, radius: 0.4, slideX: 0.1),
            .box(4, 4.3, 5.4, 5.2), .box(4.95, 3.6, 5.4, 4), .box(5.4, 4.6, 6.4, 5.2),
        ],
        carpets: [.box(1.8, 1.6, 3.6, 3.2)], noGo: [.box(5.8, 0, 6.4, 0.6)],
        dockRooms: [1])

    /// Rooms on both sides of a wide hall, 69.1 m².
    private static let familyFloor = FloorTemplate(
        rooms: [
            ("Hall", .box(3.6, 0, 5.2, 7.2)), ("Living room", .box(5.2, 0, 9.6, 4.2)),
            ("Kitchen", .box(5.2, 4.2, 9.6, 7.2)), ("Bathroom", .box(0, 5.4, 3.6, 7.2)),
            ("Child's room", .box(0, 3, 3.6, 5.4)), ("Bedroom", .box(0, 0, 3.6, 3)),
        ],
        doors: [
            FloorDoor(5.2, 2, 1.2), FloorDoor(5.2, 5.6, 0.9), FloorDoor(3.6, 1.5, 0.8),
            FloorDoor(3.6, 4.4, 0.8), FloorDoor(3.6, 6.2, 0.7), FloorDoor(7.4, 4.2, 0.9),
        ],
        furniture: [
            .box(6, 0, 8.2, 0.9, slideX: 0.2),
            .round(7.1, 1.9, radius: 0.45, slideX: 0.2, slideY: 0.15),
            .box(9.2, 1.2, 9.6, 2.8, slideY: 0.2), .box(5.6, 3.85, 6.6, 4.2, slideX: 0.1),
            .box(8.4, 3, 9, 3.6), .box(9, 4.2, 9.6, 6.6), .box(6.2, 6.6, 9.6, 7.2),
            .box(6.4, 5.2, 7.8, 5.9, slideX: 0.15, slideY: 0.1),
            .box(0, 0.6, 2, 2.3, slideY: 0.2), .box(2.2, 0, 3.4, 0.5), .box(0, 3, 0.9, 5),
            .box(1.6, 4.9, 2.9, 5.4, slideX: 0.2), .box(0, 6.5, 1.7, 7.2),
            .box(1.2, 5.4, 2, 5.85, slideX: 0.2),
        ],
        carpets: [.box(5.9, 1, 8.4, 2.9), .box(1.2, 3.4, 2.8, 4.7)],
        noGo: [.box(8.9, 0, 9.6, 0.7)], dockRooms: [1, 2, 3, 6])

    /// An open floor around a bedroom and a bathroom, 53.8 m².
    private static let loft = FloorTemplate(
        rooms: [
            (
                "Living room",
                PlanPolygon(corners: [
                    PlanPoint(x: 0, y: 0), PlanPoint(x: 9.6, y: 0), PlanPoint(x: 9.6, y: 2.6),
                    PlanPoint(x: 6, y: 2.6), PlanPoint(x: 6, y: 5.6), PlanPoint(x: 0, y: 5.6),
                ])
            ),
            ("Bedroom", .box(6, 2.6, 8.4, 5.6)), ("Bathroom", .box(8.4, 2.6, 9.6, 5.6)),
        ],
        doors: [FloorDoor(7, 2.6, 0.9), FloorDoor(9, 2.6, 0.7)],
        furniture: [
            .box(0, 5, 3, 5.6), .box(0.9, 3.4, 2.3, 4.1, slideX: 0.2, slideY: 0.15),
            .box(3.6, 3.6, 5, 4.4, slideX: 0.2, slideY: 0.2), .box(2.4, 0, 4.6, 0.9, slideX: 0.3),
            .box(5.2, 1, 5.9, 1.7, slideX: 0.1, slideY: 0.2),
            .round(3.4, 1.9, radius: 0.4, slideX: 0.15), .box(9.25, 0.4, 9.6, 2, slideY: 0.1),
            .box(7, 0, 8.4, 0.65, slideX: 0.3), .box(6, 3.6, 7.6, 5.4),
            .box(8.4, 4.7, 9.6, 5.6), .box(9.15, 3.5, 9.6, 4.1, slideY: 0.1),
        ],
        carpets: [.box(2.2, 0.9, 4.8, 2.6), .box(6.2, 2.8, 8.2, 3.4)],
        noGo: [.box(0, 0, 0.6, 0.6)], dockRooms: [1, 2])

    /// Seven rooms on one floor, 72.8 m².
    private static let bungalow = FloorTemplate(
        rooms: [
            ("Hall", .box(0, 3, 7, 4.2)), ("Living room", .box(7, 0, 10.4, 7)),
            ("Kitchen", .box(4.2, 4.2, 7, 7)), ("Study", .box(2, 4.2, 4.2, 7)),
            ("Bathroom", .box(0, 4.2, 2, 7)), ("Bedroom", .box(0, 0, 3.6, 3)),
            ("Child's room", .box(3.6, 0, 7, 3)),
        ],
        doors: [
            FloorDoor(7, 3.6, 1), FloorDoor(5.6, 4.2, 0.9), FloorDoor(2.6, 3, 0.8),
            FloorDoor(4.6, 3, 0.8), FloorDoor(1, 4.2, 0.7), FloorDoor(3, 4.2, 0.8),
            FloorDoor(7, 5.6, 0.9),
        ],
        furniture: [
            .box(7.9, 0, 9.9, 0.9, slideX: 0.2),
            .box(8.4, 1.7, 9.4, 2.3, slideX: 0.2, slideY: 0.2),
            .box(10.05, 2.9, 10.4, 4.5, slideY: 0.3),
            .round(8.8, 5.2, radius: 0.6, slideX: 0.2, slideY: 0.15),
            .box(8, 6.6, 9.8, 7, slideX: 0.2), .box(4.2, 6.4, 7, 7),
            .box(5, 5, 6, 5.6, slideX: 0.15), .box(0, 0.5, 2, 2.2, slideY: 0.2),
            .box(2.4, 0, 3.6, 0.6), .box(6.1, 0.3, 7, 2.2, slideY: 0.2),
            .box(3.9, 0, 5.2, 0.6, slideX: 0.2), .box(0, 6.2, 2, 7),
            .box(0, 5.2, 0.6, 5.6, slideY: 0.1), .box(1.5, 5, 2, 5.6),
            .box(2.4, 6.3, 3.8, 7, slideX: 0.15), .box(3.85, 4.9, 4.2, 6, slideY: 0.2),
            .box(0, 3.3, 0.3, 3.9),
        ],
        carpets: [.box(7.8, 1, 10, 2.8), .box(4.4, 0.9, 5.8, 2.3)],
        noGo: [.box(7, 6.4, 7.6, 7)], dockRooms: [2, 1, 3, 7])

    /// A narrow and deep floor, 50.4 m².
    private static let townHouse = FloorTemplate(
        rooms: [
            ("Hall", .box(0, 3.8, 5.6, 5)), ("Living room", .box(0, 0, 5.6, 3.8)),
            ("Kitchen", .box(0, 5, 3, 9)), ("Utility room", .box(3, 5, 5.6, 7)),
            ("Bathroom", .box(3, 7, 5.6, 9)),
        ],
        doors: [
            FloorDoor(1.6, 3.8, 1.2), FloorDoor(1.4, 5, 0.9), FloorDoor(4.4, 5, 0.8),
            FloorDoor(4.2, 7, 0.7),
        ],
        furniture: [
            .box(1.2, 0, 3.4, 0.9, slideX: 0.3),
            .box(1.9, 1.7, 2.7, 2.3, slideX: 0.2, slideY: 0.15),
            .box(5.25, 0.8, 5.6, 2.6, slideY: 0.2),
            .box(3.9, 2.5, 4.5, 3.1, slideX: 0.15, slideY: 0.1), .box(0, 6, 0.6, 9),
            .box(0.6, 8.4, 3, 9), .box(1.55, 6.4, 2.45, 7.4, slideX: 0.05, slideY: 0.2),
            .box(4.7, 8.1, 5.6, 9), .box(3, 7.8, 3.45, 8.5, slideY: 0.1),
            .box(5, 5.3, 5.6, 6, slideY: 0.1), .box(3, 5.9, 3.35, 6.8), .box(5.15, 4, 5.6, 4.8),
        ],
        carpets: [.box(1, 0.9, 3.6, 2.8)], noGo: [.box(0, 0, 0.5, 0.9)],
        dockRooms: [2, 3, 1, 4])

    /// Rooms that open into each other, 49.3 m².
    private static let gallery = FloorTemplate(
        rooms: [
            ("Living room", .box(0, 0, 4, 5.6)), ("Dining room", .box(4, 0, 6.4, 3.2)),
            ("Kitchen", .box(4, 3.2, 6.4, 5.6)), ("Bedroom", .box(6.4, 0, 8.8, 3.2)),
            ("Bathroom", .box(6.4, 3.2, 8.8, 5.6)),
        ],
        doors: [
            FloorDoor(4, 1.6, 1.2), FloorDoor(5.2, 3.2, 0.9), FloorDoor(6.4, 1.6, 0.8),
            FloorDoor(7.4, 3.2, 0.7), FloorDoor(4, 4.4, 0.8),
        ],
        furniture: [
            .box(0, 1.4, 0.9, 3.6, slideY: 0.3),
            .box(1.8, 2, 2.5, 3, slideX: 0.2, slideY: 0.2), .box(1, 5.2, 2.8, 5.6, slideX: 0.3),
            .round(3.5, 0.4, radius: 0.25),
            .round(5.2, 1.3, radius: 0.45, slideX: 0.1, slideY: 0.1), .box(4.4, 5, 6.4, 5.6),
            .box(5.8, 3.6, 6.4, 4.3), .box(7.1, 0, 8.7, 1.9, slideX: 0.05),
            .box(8.2, 2.5, 8.8, 3.2), .box(6.4, 4.9, 8.1, 5.6),
            .box(8.35, 3.8, 8.8, 4.5, slideY: 0.1),
        ],
        carpets: [.box(1.2, 1.5, 3.2, 3.6)], noGo: [.box(0, 0, 0.6, 0.6)],
        dockRooms: [1, 2, 3])
}
