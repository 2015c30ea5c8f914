internal import DeviceDomain
internal import Markup

/// Amounts over time as areas that stand on each other, as SVG: some above zero, some below it.
struct StackedChart: Sendable {
    /// One of the amounts.
    struct Layer: Sendable {
        /// What it is called.
        let name: String
        /// The class that gives it its colour.
        let tone: String
        /// Whether it stands below zero.
        let isBelow: Bool
        /// The amounts, one for each moment, none below zero.
        let amounts: [Double]
    }

    /// How areas follow the time.
    enum Shape: Hashable, Sendable {
        /// From one moment to the next; a longer gap, in milliseconds, breaks them. What stands at a moment holds for
        /// this width, in milliseconds.
        case areas(longestGap: Int, width: Int)
        /// A bar of this width, in milliseconds, begins at each moment.
        case bars(width: Int)
    }

    private static let size = (width: 600.0, height: 200.0)
    /// The part of the width of a bar that is drawn.
    private static let barPart = 0.78

    /// What it is called by assistive programs.
    let title: String
    /// The moments, in order.
    let moments: [Timestamp]
    /// The amounts; the first one of each side stands at zero.
    let layers: [Layer]
    let shape: Shape
    /// The period that is drawn.
    let period: ClosedRange<Timestamp>
    /// At least so much lies between the ends of the scale.
    var smallestSpan = 0.0

    /// The range of the values.
    var scale: ChartScale {
        ChartScale(
            moments.indices.flatMap { [top(of: $0, isBelow: false), -top(of: $0, isBelow: true)] },
            includesZero: true, smallestSpan: smallestSpan)
    }

    private func top(of index: Int, isBelow: Bool) -> Double {
        layers.filter { $0.isBelow == isBelow }.reduce(0) { $0 + $1.amounts[index] }
    }

    /// The drawing.
    func svg() -> HTML {
        let scale = scale
        return element(
            "svg", .class("plot stacked"), .init("viewBox", "0 0 600 200"),
            .init("preserveAspectRatio", "none"), .init("role", "img"), .label(title)
        ) {
            for mark in scale.marks { line(scale, at: mark, "rule") }
            for isBelow in [false, true] { side(isBelow, scale) }
            line(scale, at: 0, "zero")
        }
    }

    private func line(_ scale: ChartScale, at value: Double, _ kind: String) -> HTML {
        let y = LineChart.text(y(value, scale))
        return void(
            "line", .class(kind), .init("x1", "0"), .init("x2", "600"), .init("y1", y),
            .init("y2", y))
    }

    private func side(_ isBelow: Bool, _ scale: ChartScale) -> HTML {
        var base = [Double](repeating: 0, count: moments.count)
        let sign = isBelow ? -1.0 : 1
        return .joined(
            layers.filter { $0.isBelow == isBelow }.map { layer in
                let top = zip(base, layer.amounts).map { $0 + sign * $1 }
                let paths = parts().map { path($0, base, top, scale) }
                base = top
                return void(
                    "path", .class("layer \(layer.tone)"), .init("d", paths.joined()))
            })
    }

    /// The moments of each area.
    private func parts() -> [Range<Int>] {
        guard case .areas(let gap, _) = shape else { return moments.indices.map { $0..<($0 + 1) } }
        var parts: [Range<Int>] = []
        for index in moments.indices {
            if let last = parts.last, index > 0,
                moments[index].milliseconds - moments[index - 1].milliseconds <= gap
            {
                parts[parts.count - 1] = last.lowerBound..<(index + 1)
            } else {
                parts.append(index..<(index + 1))
            }
        }
        return parts
    }

    private func path(
        _ part: Range<Int>, _ base: [Double], _ top: [Double], _ scale: ChartScale
    ) -> String {
        func corner(_ x: Double, _ value: Double) -> String {
            "\(LineChart.text(x)) \(LineChart.text(y(value, scale)))"
        }
        var ends = part.map { (x: x(moments[$0].milliseconds), index: $0) }
        switch shape {
        case .areas(_, let width):
            let last = part.upperBound - 1
            let end = x(min(moments[last].milliseconds + width, period.upperBound.milliseconds))
            // A single moment at the end is drawn as a narrow area, which is seen.
            ends.append((max(end, ends[0].x + 1), last))
        case .bars(let width):
            let end = x(moments[part.lowerBound].milliseconds + width)
            let (start, room) = (ends[0].x, (end - ends[0].x) * (1 - Self.barPart) / 2)
            ends = [(start + room, part.lowerBound), (end - room, part.lowerBound)]
        }
        let there = ends.map { corner($0.x, top[$0.index]) }
        let back = ends.reversed().map { corner($0.x, base[$0.index]) }
        return "M\((there + back).joined(separator: "L"))Z"
    }

    private func x(_ milliseconds: Int) -> Double {
        let start = period.lowerBound.milliseconds
        let length = max(period.upperBound.milliseconds - start, 1)
        return Double(milliseconds - start) / Double(length) * Self.size.width
    }

    private func y(_ value: Double, _ scale: ChartScale) -> Double {
        (1 - scale.position(of: value)) * (Self.size.height - 4) + 2
    }
}
