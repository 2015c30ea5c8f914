import Fleet
import Glibc
import Markup

/// How long commands took, and how late the machine was.
struct LatencySection {
    let report: FleetReport

    /// The percentiles of the table.
    private static let percentiles = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.9999),
    ]

    var markup: HTML {
        guard latency.total > 0 || report.lateness.total > 0 else { return .empty }
        return HTMLReport.section("Latency") {
            element("div", .class("pair")) {
                if latency.total > 0 { curve }
                element("div", .class("wide")) { table }
            }
        }
    }

    private var latency: MillisecondHistogram { report.commands.latency }

    /// The time that a share of all commands did not exceed; each step to the right is a nine more.
    private var curve: HTML {
        let nines = 4.0
        let points = (0...160).map { place in
            let share = Double(place) / 160
            let quantile = latency.quantile(1 - Self.tenth(of: share * nines))
            return LineFigure.Point(share: share, value: Double(quantile))
        }
        return LineFigure(
            title: "Command latency by percentile", unit: "ms",
            lines: [LineFigure.Line(name: "Latency", tone: "s1", points: points, isFilled: true)],
            axis: element("div", .class("times"), .decorative) {
                ["0", "90", "99", "99.9", "99.99"].map { element("span", text: "\($0) %") }
            }
        ).markup
    }

    /// 10 to the power of minus `exponent`.
    private static func tenth(of exponent: Double) -> Double { pow(10, -exponent) }

    private var table: HTML {
        element("table") {
            element("thead") {
                element("tr") {
                    ["", "Commands", "Lateness of samples"].map {
                        element("th", .init("scope", "col"), text: $0)
                    }
                }
            }
            element("tbody") {
                Self.percentiles.map { name, share in
                    row(
                        name, text(latency) { $0.quantile(share) },
                        text(report.lateness) {
                            $0.quantile(share)
                        })
                }
                row("longest", text(latency, \.largest), text(report.lateness, \.largest))
                row(
                    "count", NumberText.grouped(latency.total),
                    NumberText.grouped(report.lateness.total))
            }
        }
    }

    private func text(
        _ times: MillisecondHistogram, _ time: (MillisecondHistogram) -> Int
    ) -> String {
        times.total == 0 ? "–" : NumberText.milliseconds(time(times))
    }

    private func row(_ name: String, _ values: String...) -> HTML {
        element("tr") {
            element("th", .init("scope", "row"), text: name)
            values.map { element("td", .class("number"), text: $0) }
        }
    }
}
