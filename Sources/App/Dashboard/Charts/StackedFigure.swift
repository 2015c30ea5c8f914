internal import DeviceDomain
internal import Markup

/// A stacked chart with its scale, its times and its legend. The script of the page shows the values under the pointer in
/// the legend; without it the newest ones stand there.
struct StackedFigure: Sendable {
    let texts: Texts
    let chart: StackedChart
    let axis: TimeAxis
    /// An amount with its unit.
    let amount: @Sendable (Double) -> String
    /// A moment as it stands above the values of it.
    let moment: @Sendable (Timestamp) -> String

    func render() -> HTML {
        element("figure", .class("chart stacked"), .init("data-columns", columns)) {
            element("figcaption") {
                element("span", text: chart.title)
                element("strong", .init("data-at"), text: chart.moments.last.map(moment) ?? "")
            }
            element("div", .class("canvas")) {
                chart.svg()
                element("span", .class("cursor"), .decorative) {}
            }
            element("div", .class("scale"), .decorative) {
                for mark in chart.scale.marks.reversed() {
                    element("span", text: amount(mark.magnitude))
                }
            }
            axis.svg()
            element("ul", .class("legend")) { chart.layers.map(entry) }
        }
    }

    private func entry(_ layer: StackedChart.Layer) -> HTML {
        element("li", .class(layer.isBelow ? "below" : "")) {
            element("svg", .class("key"), .init("viewBox", "0 0 12 12"), .decorative) {
                void(
                    "rect", .class("layer \(layer.tone)"), .init("width", "12"),
                    .init("height", "12"), .init("rx", "3"))
            }
            element("span", text: layer.name)
            element("strong", .init("data-value"), text: layer.amounts.last.map(amount) ?? "")
        }
    }

    /// A line for each moment: where it lies in thousandths of the width, its text, and the text of each value.
    private var columns: String {
        let start = chart.period.lowerBound.milliseconds
        let length = max(chart.period.upperBound.milliseconds - start, 1)
        let width = if case .bars(let width) = chart.shape { width } else { 0 }
        return chart.moments.indices.map { index in
            let place = (chart.moments[index].milliseconds + width / 2 - start) * 1_000 / length
            let values = chart.layers.map { amount($0.amounts[index]) }
            return (["\(place)", moment(chart.moments[index])] + values).joined(separator: "\t")
        }
        .joined(separator: "\n")
    }
}
