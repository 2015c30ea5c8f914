internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// A chart of a value over time, as SVG. The numbers beside it are text of the page, so that they keep
/// their size on every screen.
struct LineChart: Sendable {
    /// The size of the drawing, in units of its own.
    private static let size = (width: 600.0, height: 120.0)
    /// More points are not drawn: two for each column of a wide screen would not be seen.
    static let mostPoints = 300
    /// Without a sample for so long the line is broken, in milliseconds.
    static let longestGap = 10 * 60_000

    /// The name of what is drawn, read by assistive programs.
    let title: String
    /// The values, oldest first.
    let points: [SamplePoint]
    /// The period that is drawn.
    let period: ClosedRange<Timestamp>
    /// Whether the area down to zero is filled, as for an amount.
    var isAmount = false
    /// Whether the values are percentages.
    var isPercent = false
    /// At least so much lies between the ends of the scale.
    var smallestSpan = 0.0
    /// The class that gives it its colour.
    var tone = "line"

    /// The range of the values.
    var scale: ChartScale {
        ChartScale(
            points.filter { period.contains($0.at) }.map(\.value), includesZero: isAmount,
            isPercent: isPercent, smallestSpan: smallestSpan)
    }

    /// The drawing.
    func svg() -> HTML {
        let scale = scale
        let lines = runs().map { $0.map { position($0, scale) } }
        let base = y(isAmount ? 0 : scale.lower, scale)
        return element(
            "svg", .class("plot \(tone)"), .init("viewBox", "0 0 600 120"),
            .init("preserveAspectRatio", "none"), .init("role", "img"), .label(title)
        ) {
            for mark in scale.marks { grid(at: y(mark, scale)) }
            for line in lines {
                if isAmount, line.count > 1 {
                    void("path", .class("area"), .init("d", Self.area(line, to: base)))
                }
                void("path", .class("stroke"), .init("d", Self.path(line)))
            }
        }
    }

    private func grid(at y: Double) -> HTML {
        void(
            "line", .class("rule"), .init("x1", "0"), .init("x2", "600"),
            .init("y1", Self.text(y)), .init("y2", Self.text(y)))
    }

    /// The points, thinned to the extremes of each stretch, and parted where samples are missing.
    private func runs() -> [[SamplePoint]] {
        var runs: [[SamplePoint]] = []
        for point in Self.thinned(points.filter { period.contains($0.at) }) {
            if let last = runs.last?.last,
                point.at.milliseconds - last.at.milliseconds <= Self.longestGap
            {
                runs[runs.count - 1].append(point)
            } else {
                runs.append([point])
            }
        }
        return runs
    }

    /// At most ``mostPoints`` points that still show every peak.
    static func thinned(_ points: [SamplePoint]) -> [SamplePoint] {
        guard points.count > mostPoints else { return points }
        let stretch = (points.count * 2 + mostPoints - 1) / mostPoints
        return stride(from: 0, to: points.count, by: stretch).flatMap { start -> [SamplePoint] in
            let part = points[start..<min(start + stretch, points.count)]
            guard let low = part.min(by: { $0.value < $1.value }),
                let high = part.max(by: { $0.value < $1.value })
            else { return [] }
            return low == high ? [low] : [low, high].sorted { $0.at < $1.at }
        }
    }

    private func position(_ point: SamplePoint, _ scale: ChartScale) -> (x: Double, y: Double) {
        let start = period.lowerBound.milliseconds
        let length = max(period.upperBound.milliseconds - start, 1)
        let part = Double(point.at.milliseconds - start) / Double(length)
        return (part * Self.size.width, y(point.value, scale))
    }

    private func y(_ value: Double, _ scale: ChartScale) -> Double {
        (1 - scale.position(of: value)) * (Self.size.height - 4) + 2
    }

    /// A single point is drawn as a short line, which is seen.
    private static func path(_ line: [(x: Double, y: Double)]) -> String {
        let ends = line.count == 1 ? line + [(line[0].x + 1, line[0].y)] : line
        return "M" + ends.map { "\(text($0.x)) \(text($0.y))" }.joined(separator: "L")
    }

    private static func area(_ line: [(x: Double, y: Double)], to base: Double) -> String {
        "\(path(line))L\(text(line[line.count - 1].x)) \(text(base))"
            + "L\(text(line[0].x)) \(text(base))Z"
    }

    /// A coordinate with one decimal.
    static func text(_ value: Double) -> String {
        "\((value * 10).rounded() / 10)"
    }
}
