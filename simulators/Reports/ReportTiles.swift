import Fleet
import Markup

/// The figures that are looked at first.
struct ReportTiles {
    let report: FleetReport

    var markup: HTML {
        element("ul", .class("tiles")) {
            tile("Devices", NumberText.grouped(report.devices.count), kinds)
            tile("Samples", NumberText.grouped(samples), "made by the devices")
            commands
            tile(
                "Command latency", p99(report.commands.latency), "p99, to the last acknowledgement")
            tile("Lateness", p99(report.lateness), "p99 of samples; the machine's doing")
            tile("Faults", NumberText.grouped(report.faultSpans.count), faults)
        }
    }

    private func tile(_ name: String, _ value: String, _ remark: String) -> HTML {
        element("li") {
            element("span", .class("name"), text: name)
            element("strong", text: value)
            element("span", .class("remark"), text: remark)
        }
    }

    private var samples: Int { report.devices.reduce(0) { $0 + $1.samples } }

    private var kinds: String {
        var counts: [String: Int] = [:]
        for device in report.devices { counts[device.kind, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(NumberText.grouped($0.value)) \($0.key)" }.joined(separator: ", ")
    }

    private var faults: String {
        let names = Set(report.faultSpans.map(\.fault)).sorted()
        return names.isEmpty
            ? "none happened"
            : names.prefix(3).joined(separator: ", ")
                + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }

    private var commands: HTML {
        let ends = report.commandEnds.filter { $0.count > 0 }
        return tile(
            "Commands", NumberText.grouped(report.commandsSent),
            ends.isEmpty
                ? "none were sent"
                : ends.map { "\(NumberText.grouped($0.count)) \($0.name)" }.joined(separator: ", "))
    }

    private func p99(_ times: MillisecondHistogram) -> String {
        times.total == 0 ? "–" : NumberText.milliseconds(times.quantile(0.99))
    }
}
