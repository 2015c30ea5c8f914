internal import DeviceControl
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// A chart with its title, the newest value, and the numbers at its sides. The script of the page shows the value under
/// the pointer in the place of the newest one; it reads it from the drawing.
struct ChartFigure: Sendable {
    let texts: Texts
    let chart: LineChart
    let unit: Unit

    /// What stands behind the numbers.
    enum Unit: Hashable, Sendable {
        /// Power, in W or kW by its size.
        case watts
        /// A symbol; empty for none.
        case symbol(String)
    }

    func render() -> HTML {
        element("figure", [.class("chart")] + measures) {
            element("figcaption") {
                element("span", text: chart.title)
                if let newest = chart.points.last { element("strong", text: text(newest.value)) }
            }
            chart.svg()
            element("div", .class("scale"), .decorative) {
                for mark in chart.scale.marks.reversed() {
                    element("span", text: text(mark: mark))
                }
            }
            element("div", .class("times"), .decorative) {
                for moment in moments { element("span", text: text(moment)) }
            }
        }
    }

    /// What turns places of the drawing into times of the clock on the wall, in milliseconds, and values.
    private var measures: [HTMLAttribute] {
        let (calendar, period, scale) = (texts.format.calendar, chart.period, chart.scale)
        let start = calendar.localSeconds(of: period.lowerBound) * 1_000
        let length = period.upperBound.milliseconds - period.lowerBound.milliseconds
        return [
            .init("data-start", "\(start)"), .init("data-length", "\(length)"),
            .init("data-low", "\(scale.lower)"), .init("data-high", "\(scale.upper)"),
            .init("data-decimals", "\(decimals)"), .init("data-unit", suffix),
        ]
    }

    private var suffix: String {
        switch unit {
        case .watts: " W"
        case .symbol(""): ""
        case .symbol(let symbol) where symbol == "%" || symbol == "°": symbol
        case .symbol(let symbol): " \(symbol)"
        }
    }

    private func text(_ value: Double) -> String {
        unit == .watts
            ? texts.format.power(value) : texts.format.number(value, decimals: decimals) + suffix
    }

    private func text(mark: Double) -> String {
        unit == .watts
            ? texts.format.power(mark) : texts.format.number(mark, decimals: decimals)
    }

    /// A time; with its day where the period has more than one.
    private func text(_ moment: Timestamp) -> String {
        let (format, period) = (texts.format, chart.period)
        let isOneDay = format.date(period.lowerBound) == format.date(period.upperBound)
        return isOneDay ? format.time(moment) : format.dayAndTime(moment)
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
