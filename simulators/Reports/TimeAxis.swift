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

    /// The times below a chart.
    var markup: HTML {
        element("div", .class("times"), .decorative) {
            (0...4).map { place in
                let moment = start.advanced(by: .seconds(seconds * Double(place) / 4))
                return element("span", text: text(moment))
            }
        }
    }

    private func text(_ moment: Timestamp) -> String {
        let text = NumberText.moment(moment)
        return switch seconds {
        case ..<600: String(text.suffix(8))
        case ..<172_800: String(text.dropFirst(11).prefix(5))
        default: String(text.dropFirst(5).prefix(11))
        }
    }
}
