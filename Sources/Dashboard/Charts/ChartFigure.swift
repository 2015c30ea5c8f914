internal import DeviceDomain
internal import SharedPresentation

/// A chart with its title, the newest value, and the numbers at its sides.
struct ChartFigure: Sendable {
    let texts: Texts
    let chart: LineChart
    /// The unit of the values; empty for none.
    let unit: String
    var isTall = false

    func render() -> HTML {
        element("figure", .class(isTall ? "chart tall" : "chart")) {
            element("figcaption") {
                element("span", text: chart.title)
                if let newest = chart.points.last { element("strong", text: text(newest.value)) }
            }
            chart.svg()
            element("div", .class("scale"), .decorative) {
                for mark in chart.scale.marks.reversed() {
                    element("span", text: texts.format.number(mark, decimals: decimals))
                }
            }
            element("div", .class("times"), .decorative) {
                for moment in moments { element("span", text: texts.format.time(moment)) }
            }
        }
    }

    private func text(_ value: Double) -> String {
        let number = texts.format.number(value, decimals: decimals)
        return unit.isEmpty
            ? number : unit == "%" || unit == "°" ? number + unit : "\(number) \(unit)"
    }

    /// As many as the range of the values needs.
    private var decimals: Int {
        let scale = chart.scale
        return switch scale.upper - scale.lower {
        case ..<0.02: 4
        case ..<0.2: 3
        case ..<2: 2
        case ..<20: 1
        default: 0
        }
    }

    private var moments: [Timestamp] {
        let (start, end) = (chart.period.lowerBound, chart.period.upperBound)
        let middle = (start.milliseconds + end.milliseconds) / 2
        return [start, Timestamp(milliseconds: middle), end]
    }
}
