import DeviceDomain
import Fleet
import Markup

/// What was run, and how it ended.
struct ReportHeader {
    let report: FleetReport
    let verdict: ReportVerdict

    /// What the run is called: by its scenario, else by its devices.
    static func title(of report: FleetReport) -> String {
        if let name = report.scenario.flatMap(scenarioName) { return name }
        let homes = Set(report.devices.map(\.home)).count
        let devices = NumberText.grouped(report.devices.count)
        return
            "\(devices) devices in \(homes == 1 ? "one home" : "\(NumberText.grouped(homes)) homes")"
    }

    /// The member `name` of a scenario, as people see it.
    private static func scenarioName(_ text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("name:") }
        let quotes: Set<Character> = ["\"", "'", " "]
        let name = line?.dropFirst(5).drop { quotes.contains($0) }
        return name.map { name in
            String(name.reversed().drop { quotes.contains($0) }.reversed())
        }.flatMap { $0.isEmpty ? nil : $0 }
    }

    var markup: HTML {
        element("header") {
            element("p", .class("over"), text: "Report of a simulated fleet")
            element("h1", text: Self.title(of: report))
            element("p", .class("verdict \(verdict.tone)")) {
                element("strong", text: verdict.word)
                element("span", text: verdict.sentence)
            }
            element("dl", .class("facts")) {
                fact(
                    "World",
                    "\(NumberText.moment(report.epoch)), \(NumberText.seconds(report.world.seconds))"
                )
                fact("Took", "\(NumberText.seconds(report.wall.seconds)) of wall time")
                fact("Speed", "\(NumberText.short(Self.rounded(report.speedReached))) ×")
                fact("Seed", "\(report.seed)")
            }
        }
    }

    private func fact(_ name: String, _ value: String) -> HTML {
        element("div") {
            element("dt", text: name)
            element("dd", text: value)
        }
    }

    private static func rounded(_ speed: Double) -> Double {
        speed < 10 ? (speed * 100).rounded() / 100 : speed.rounded()
    }
}
