internal import SharedPresentation

/// The floor that a robot has driven over.
struct FloorDrawing: Sendable {
    /// What it is called by assistive programs.
    let title: String
    /// Where the robot has been, oldest first; the last one is where it is.
    let trail: [FloorPoint]

    /// The free space around everything, in metres.
    private static let margin = 0.6
    /// Smaller areas are drawn as if they were so wide, in metres.
    private static let smallest = 4.0

    func svg() -> HTML {
        let bounds = bounds
        // The north is up on the plan and down in SVG.
        let flip = { (point: FloorPoint) in FloorPoint(x: point.x, y: bounds.top - point.y) }
        return element(
            "svg", .class("plan"),
            .init("viewBox", "\(text(bounds.left)) 0 \(text(bounds.width)) \(text(bounds.height))"),
            .init("role", "img"), .label(title)
        ) {
            if trail.count > 1 {
                void("path", .class("trail"), .init("d", path(trail.map(flip))))
            }
            if let robot = trail.last { mark(flip(robot), "robot", bounds.width / 50) }
        }
    }

    private func mark(_ point: FloorPoint, _ kind: String, _ radius: Double) -> HTML {
        void(
            "circle", .class(kind), .init("cx", text(point.x)), .init("cy", text(point.y)),
            .init("r", text(radius)))
    }

    private var bounds: (left: Double, top: Double, width: Double, height: Double) {
        let (xs, ys) = (trail.map(\.x), trail.map(\.y))
        let (left, right) = Self.widened(xs.min() ?? 0, xs.max() ?? 0)
        let (bottom, top) = Self.widened(ys.min() ?? 0, ys.max() ?? 0)
        return (left, top, right - left, top - bottom)
    }

    private static func widened(_ low: Double, _ high: Double) -> (Double, Double) {
        let missing = max(smallest - (high - low), 0) / 2
        return (low - margin - missing, high + margin + missing)
    }

    private func path(_ points: [FloorPoint]) -> String {
        "M" + points.map { "\(text($0.x)) \(text($0.y))" }.joined(separator: "L")
    }

    /// A length to the centimetre.
    private func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
