import DeviceDomain
import Fleet
import Markup

/// The fleet over time, and the faults below it on the same axis.
struct FleetSection {
    let report: FleetReport

    var markup: HTML {
        let bars = FaultBars(report: report).markup
        guard !series.stretches.isEmpty || !bars.isEmpty else { return .empty }
        return HTMLReport.section("The fleet over time") {
            if !series.stretches.isEmpty {
                chart("Connected devices", "s1", isFilled: true) { Double($0.online) }
                chart("Messages per second", "s2", isFilled: true) {
                    Double($0.messages) / wallSeconds
                }
                if report.commands.latency.total > 0 {
                    chart("Command latency, mean", "s4", unit: "ms") { $0.meanLatencyMs }
                }
            }
            bars
        }
    }

    private var series: RunSeries { report.series }

    /// How much of the wall clock a stretch took.
    private var wallSeconds: Double { Double(series.seconds) / max(report.speedReached, 1e-6) }

    private func chart(
        _ title: String, _ tone: String, unit: String = "", isFilled: Bool = false,
        value: (RunSeries.Stretch) -> Double?
    ) -> HTML {
        let axis = TimeAxis(of: report)
        let points = series.stretches.enumerated().compactMap { place, stretch in
            value(stretch).map { value in
                // In the middle of the stretch.
                LineFigure.Point(
                    share: min((Double(place) + 0.5) * Double(series.seconds) / axis.seconds, 1),
                    value: value)
            }
        }
        return LineFigure(
            title: title, unit: unit,
            lines: [
                LineFigure.Line(name: title, tone: tone, points: points, isFilled: isFilled)
            ], axis: axis.markup
        ).markup
    }
}
