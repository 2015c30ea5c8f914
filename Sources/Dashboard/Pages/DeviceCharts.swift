internal import DeviceDomain

/// The signals of a device over the last hour and the last day.
@MainActor
struct DeviceCharts {
    let device: DeviceState
    let texts: Texts

    /// Where a robot is says more on its plan, and counters say more as numbers.
    private static let hidden: Set<String> = ["x", "y", "headingDeg"]

    func render() -> HTML {
        let names = device.samples.keys.filter { !Self.hidden.contains($0) }.sorted()
        guard let end = device.sampledAt, !names.isEmpty else {
            return element("div", .class("card")) {
                element("h2", text: texts[.lastHour])
                element("p", .class("muted"), text: texts[.noSamples])
            }
        }
        return .joined([
            section(.lastHour, names, end, hours: 1) { $0.lastHour },
            section(.lastDay, names, end, hours: 24) { $0.lastDay },
        ])
    }

    private func section(
        _ title: Phrase, _ names: [String], _ end: Timestamp, hours: Int,
        _ points: (SampleSeries) -> [LineChart.Point]
    ) -> HTML {
        let start = Timestamp(milliseconds: end.milliseconds - hours * 3_600_000)
        return element("div", .class("card")) {
            element("h2", text: texts[title])
            element("div", .class("charts")) {
                names.map { name in
                    ChartFigure(
                        texts: texts,
                        chart: LineChart(
                            title: texts.terms.member(name),
                            points: device.samples[name].map(points) ?? [], period: start...end,
                            isAmount: DeviceTerms.unit(name) == "W",
                            isPercent: DeviceTerms.unit(name) == "%", tone: Self.tone(name)),
                        unit: DeviceTerms.unit(name) ?? ""
                    ).render()
                }
            }
        }
    }

    /// Signals that mean one thing have one colour on every page.
    static func tone(_ name: String) -> String {
        switch name {
        case "pvPowerW": "sun"
        case "gridPowerW": "grid-power"
        case "batteryPowerW", "batteryPercent", "stateOfChargePercent": "battery"
        default: "line"
        }
    }
}
