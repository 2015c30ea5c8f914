import DeviceDomain
import Fleet
import Markup

/// The time of the world of a run, from left to right.
struct TimeAxis: Hashable {
    /// The left end.
    let start: Timestamp
    /// What lies between the ends, in seconds; above 0.
    let seconds: Double

    init(start: Timestamp, seconds: Double) {
        self.start = start
        self.seconds = max(seconds, 0.001)
    }

    /// The whole run.
    init(of report: FleetReport) {
        self.init(start: report.epoch, seconds: report.world.seconds)
    }

    /// Where a moment lies: 0 at the left end, 1 at the right one.
    func share(of moment: Timestamp) -> Double {
        min(max(moment.since(start).seconds / seconds, 0), 1)
    }

    /// Between times below a chart, in seconds: what divides a minute, an hour and a day without a rest.
    private static let steps = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200,
    ]
    /// The most times below a chart.
    private static let mostMarks = 6
    private static let day = 86_400

    /// From one time below a chart to the next, in seconds: as short as there is room for.
    private var step: Int {
        let fits = { (step: Int) in seconds / Double(step) <= Double(Self.mostMarks) }
        if let step = Self.steps.first(where: fits) { return step }
        var days = 1
        while !fits(days * Self.day) { days *= 2 }
        return days * Self.day
    }

    /// The round times, UTC, within the ends.
    var marks: [Timestamp] {
        let length = step * 1000
        let end = start.milliseconds + Int(seconds * 1000)
        let first = (start.milliseconds + length - 1) / length * length
        return stride(from: first, through: end, by: length).map(Timestamp.init(milliseconds:))
    }

    /// The times below a chart, each where it is.
    var markup: HTML {
        element("div", .class("times placed"), .decorative) {
            marks.map { moment in
                let share = share(of: moment)
                return element(
                    "span", .class(Self.alignment(at: share)),
                    .init("style", "left:\(NumberText.short(share * 100))%"), text: text(moment))
            }
        }
    }

    /// At the ends a time stands beside its place, so that it does not leave the chart.
    private static func alignment(at share: Double) -> String {
        switch share {
        case ..<0.03: "after"
        case 0.97...: "before"
        default: "around"
        }
    }

    private func text(_ moment: Timestamp) -> String {
        let text = NumberText.moment(moment)
        return switch step {
        case ..<60: String(text.suffix(8))
        case Self.day...: String(text.dropFirst(5).prefix(5))
        case _ where seconds > Double(2 * Self.day): String(text.dropFirst(5).prefix(11))
        default: String(text.dropFirst(11).prefix(5))
        }
    }
}
