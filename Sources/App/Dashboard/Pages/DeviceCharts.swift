internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The signals of a device over the last hour and the last day.
@MainActor
struct DeviceCharts {
    let signals: [MeasuredSignal]
    /// When the latest sample was taken; `nil` for none.
    let sampledAt: Timestamp?
    let texts: Texts
    /// Whether the device cannot be reached now, so that its newest values are old.
    let isAged: Bool

    /// Where a robot is says more on its plan, and counters say more as numbers.
    private static let hidden = Set(
        [
            Signal.x, .y, .headingDeg, .mainBrushMinutes, .sideBrushMinutes, .filterMinutes,
            .sensorMinutes, .equivalentCycles,
        ].map(\.rawValue))

    func render() -> HTML {
        let drawn = signals.filter { $0.series != nil && !Self.hidden.contains($0.name) }
        guard let end = sampledAt, !drawn.isEmpty else {
            return element("div", .class("card")) {
                element("h2", text: texts[.lastHour])
                element("p", .class("muted"), text: texts[.noSamples])
            }
        }
        return .joined([
            section(.lastHour, drawn, .hour, end) { $0.lastHour },
            section(.lastDay, drawn, .day, end) { $0.upToADay },
        ])
    }

    private func section(
        _ title: Phrase, _ signals: [MeasuredSignal], _ length: ChartPeriod, _ end: Timestamp,
        _ points: (SampleSeries) -> [SamplePoint]
    ) -> HTML {
        let series = signals.map { $0.series.map(points) ?? [] }
        let period = length.range(to: end, of: series)
        let id = length == .hour ? "hour" : "day"
        return element("details", .class("card"), .id(id), .init("open", length == .hour)) {
            element("summary") { element("h2", text: texts[title]) }
            element("div", .class(isAged ? "charts aged" : "charts")) {
                zip(signals, series).map { signal, points in
                    let unit = texts.units.unit(ofSignal: signal.name)
                    return ChartFigure(
                        texts: texts,
                        chart: LineChart(
                            title: texts.terms.member(signal.name),
                            points: unit?.values(of: points) ?? points, period: period,
                            isAmount: signal.unit == .watts, isPercent: signal.unit == .percent,
                            smallestSpan: signal.unit?.smallestSpan ?? 0,
                            tone: Self.tone(signal.name)),
                        unit: signal.unit == .watts ? .watts : .symbol(unit?.symbol ?? "")
                    ).render()
                }
            }
        }
    }

    /// Signals that mean one thing have one colour on every page.
    static func tone(_ name: String) -> String {
        switch Signal(rawValue: name) {
        case .pvPowerW: "sun"
        case .gridPowerW: "grid-power"
        case .batteryPowerW, .batteryPercent, .stateOfChargePercent: "battery"
        default: "line"
        }
    }
}
