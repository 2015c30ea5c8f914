internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The floor of a robot in two layers of one size: the rooms, which stay, and the way that it has driven.
/// One unit of the drawings is a centimetre.
struct FloorDrawing: Sendable {
    /// What it is called by assistive programs.
    let title: String
    /// Where the robot has been, oldest first; the last one is where it is.
    let trail: [FloorPoint]
    /// The rooms; `nil` for a robot that does not describe them.
    var plan: RoomPlan?
    /// The stretches on which it has cleaned, oldest first.
    var cleaned: [[FloorPoint]] = []
    /// Where it looks, in degrees clockwise from north; `nil` if it has not said.
    var headingDegrees: Double?

    /// The free space around everything, in metres.
    private static let margin = 0.6
    /// Smaller areas are drawn as if they were so wide, in metres.
    private static let smallest = 4.0
    /// How wide a stretch is cleaned where the robot does not say how large it is, in metres.
    private static let usualBrush = 0.3
    /// How wide a drawn door is, in metres.
    private static let door = 0.5

    /// The way and the robot.
    func way() -> HTML {
        drawing(plan == nil ? "plan" : "plan over", title) {
            cleaned.map { stretch in
                void(
                    "path", .class("cleaned"), .init("d", "M" + line(stretch)),
                    .init("stroke-width", text(brush)))
            }
            if trail.count > 1 {
                void("path", .class("trail"), .init("d", "M" + line(trail)))
            }
            if let robot = trail.last {
                mark(robot, "robot", robotRadius)
                headingDegrees.map { heading($0, at: robot) }
            }
        }
    }

    private var brush: Double { plan?.robotRadiusM.map { $0 * 1.8 } ?? Self.usualBrush }

    /// As large as it is, and large enough to be seen.
    private var robotRadius: Double { max(plan?.robotRadiusM ?? 0, bounds.width / 50) }

    /// The head of an arrow on the robot, in the direction in which it looks.
    private func heading(_ degrees: Double, at place: FloorPoint) -> HTML {
        let (x, y) = (text(place.x), text(bounds.top - place.y))
        let (tip, side) = (text(robotRadius * 0.75), text(robotRadius * 0.5))
        return void(
            "path", .class("heading"), .init("d", "M-\(side) \(side) 0 -\(tip) \(side) \(side)Z"),
            .init("transform", "translate(\(x) \(y)) rotate(\(Int(degrees.rounded())))"))
    }

    /// The rooms with their names, and the dock; `nil` for a robot that does not describe them.
    func rooms() -> HTML? {
        guard let plan else { return nil }
        let names = plan.rooms.map(\.label).joined(separator: ", ")
        return drawing("plan floor", names) {
            plan.rooms.map(room)
            plan.carpets.map { area($0, "carpet") }
            plan.noGo.map { area($0, "no-go") }
            plan.obstacles.map { area($0, "obstacle") }
            plan.rooms.flatMap(\.doors).map {
                mark(FloorPoint($0.position), "door", Self.door / 2)
            }
            plan.rooms.map(name)
            plan.dock.map { mark(FloorPoint($0.position), "dock", bounds.width / 34) }
        }
    }

    private func drawing(
        _ kind: String, _ label: String, @HTMLBuilder content: () -> HTML
    ) -> HTML {
        let (left, width, height) = (text(bounds.left), text(bounds.width), text(bounds.height))
        return element(
            "svg",
            [
                .class(kind), .init("viewBox", "\(left) 0 \(width) \(height)"),
                .init("role", "img"), .label(label),
            ], content: content)
    }

    // MARK: Rooms

    private func room(_ room: PlannedRoom) -> HTML {
        void(
            "path", .class("room"), .init("data-room", "\(room.id)"),
            .init("d", "M" + line(room.shape.corners.map(FloorPoint.init)) + "Z"))
    }

    private func area(_ area: FloorArea, _ kind: String) -> HTML {
        void(
            "path", .class(kind),
            .init("d", "M" + line(area.corners.map(FloorPoint.init)) + "Z"))
    }

    private func name(_ room: PlannedRoom) -> HTML {
        let place = room.middle
        return element(
            "text", .name, .init("x", text(place.x)), .init("y", text(bounds.top - place.y)),
            .init("font-size", text(room.fontSize)), text: room.label)
    }

    // MARK: Coordinates

    private func mark(_ point: FloorPoint, _ kind: String, _ radius: Double) -> HTML {
        void(
            "circle", .class(kind), .init("cx", text(point.x)),
            .init("cy", text(bounds.top - point.y)), .init("r", text(radius)))
    }

    /// Points as SVG path data. The north is up on the plan and down in SVG.
    private func line(_ points: [FloorPoint]) -> String {
        points.map { "\(text($0.x)) \(text(bounds.top - $0.y))" }.joined(separator: "L")
    }

    /// What is drawn, in metres: it stays the same while the robot moves on a floor that is known.
    private var bounds: (left: Double, top: Double, width: Double, height: Double) {
        let points = plan.map { $0.rooms.flatMap(\.shape.corners).map(FloorPoint.init) } ?? trail
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        let (left, right) = Self.widened(xs.min() ?? 0, xs.max() ?? 0)
        let (bottom, top) = Self.widened(ys.min() ?? 0, ys.max() ?? 0)
        return (left, top, right - left, top - bottom)
    }

    private static func widened(_ low: Double, _ high: Double) -> (Double, Double) {
        let missing = max(smallest - (high - low), 0) / 2
        return (low - margin - missing, high + margin + missing)
    }

    /// A length in whole centimetres.
    private func text(_ metres: Double) -> String {
        let centimetres = (metres * 100).rounded()
        return Int(exactly: centimetres).map(String.init) ?? "\(centimetres)"
    }
}

extension FloorPoint {
    fileprivate init(_ position: FloorPosition) { self.init(x: position.x, y: position.y) }
}

extension PlannedRoom {
    /// What it is called on a page.
    var label: String { name ?? "\(id)" }

    /// Where its name stands: the middle of the extent.
    fileprivate var middle: FloorPoint {
        let corners = shape.corners
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        return FloorPoint(
            x: ((xs.min() ?? 0) + (xs.max() ?? 0)) / 2, y: ((ys.min() ?? 0) + (ys.max() ?? 0)) / 2)
    }

    /// How high the letters of its name may be to fit, in metres.
    fileprivate var fontSize: Double {
        let xs = shape.corners.map(\.x)
        let width = (xs.max() ?? 0) - (xs.min() ?? 0)
        // A bold letter is about 0.72 of its height wide, one of Chinese as wide as high.
        let letters = label.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 0.72 : 1) }
        return min(0.34, 0.9 * width / max(letters, 1))
    }
}
