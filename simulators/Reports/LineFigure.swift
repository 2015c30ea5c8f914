import Markup

/// A chart of values between two ends of an axis, whose numbers are text of the page.
struct LineFigure {
    /// A point: where it lies between the left end, 0, and the right one, 1, and its value.
    struct Point: Hashable {
        let share: Double
        let value: Double
    }

    /// A line of the chart.
    struct Line {
        let name: String
        /// The class that gives it its colour.
        let tone: String
        let points: [Point]
        /// Whether the area down to zero is filled.
        var isFilled = false
    }

    /// What is drawn.
    let title: String
    /// The unit of the values; empty for a number.
    var unit = ""
    let lines: [Line]
    /// Whether the values are percentages.
    var isPercent = false
    /// What stands below.
    let axis: HTML

    private static let size = (width: 1000.0, height: 200.0)

    private var scale: ChartScale {
        ChartScale(
            lines.flatMap(\.points).map(\.value), includesZero: true, isPercent: isPercent,
            smallestSpan: 1)
    }

    var markup: HTML {
        let scale = scale
        return element("figure", .class("chart")) {
            element("figcaption") {
                element("span", .class("name"), text: unit.isEmpty ? title : "\(title), \(unit)")
                if lines.count > 1 {
                    element("span", .class("keys")) {
                        lines.map { element("span", .class("key \($0.tone)"), text: $0.name) }
                    }
                }
            }
            element("div", .class("scale"), .decorative) {
                scale.marks.reversed().map { element("span", text: NumberText.mark($0)) }
            }
            element(
                "svg", .class("plot"), .init("viewBox", "0 0 1000 200"),
                .init("preserveAspectRatio", "none"), .init("role", "img"), .label(summary)
            ) {
                scale.marks.map { rule(at: y($0, scale)) }
                lines.map { drawing(of: $0, scale) }
            }
            axis
        }
    }

    /// The same in words.
    private var summary: String {
        let parts = lines.compactMap { line -> String? in
            guard let least = line.points.map(\.value).min(),
                let most = line.points.map(\.value).max()
            else { return nil }
            return "\(line.name) from \(NumberText.short(least)) to \(NumberText.short(most))"
        }
        return "\(title): \(parts.joined(separator: "; "))"
    }

    private func drawing(of line: Line, _ scale: ChartScale) -> HTML {
        let points = line.points.map { (x: $0.share * Self.size.width, y: y($0.value, scale)) }
        guard let first = points.first, let last = points.last else { return .empty }
        let path =
            "M"
            + points.map { "\(Self.text($0.x)) \(Self.text($0.y))" }
            .joined(separator: "L")
        let base = Self.text(y(0, scale))
        return HTML.joined([
            line.isFilled
                ? void(
                    "path", .class("area \(line.tone)"),
                    .init(
                        "d", path + "L\(Self.text(last.x)) \(base)L\(Self.text(first.x)) \(base)Z"))
                : .empty,
            void(
                "path", .class("line \(line.tone)"),
                // A single point is seen as a short line.
                .init("d", points.count == 1 ? path + "h2" : path)),
        ])
    }

    private func rule(at y: Double) -> HTML {
        void(
            "line", .class("rule"), .init("x1", "0"), .init("x2", "1000"),
            .init("y1", Self.text(y)), .init("y2", Self.text(y)))
    }

    private func y(_ value: Double, _ scale: ChartScale) -> Double {
        (1 - scale.position(of: value)) * Self.size.height
    }

    /// A coordinate with one decimal.
    private static func text(_ value: Double) -> String {
        NumberText.short((value * 10).rounded() / 10)
    }
}
