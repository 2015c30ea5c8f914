import Fleet
import Markup

/// The devices with the hashes of what they made.
struct DeviceTable {
    let report: FleetReport

    /// How many are listed; the JSON report has all.
    private static let mostRows = 200

    var markup: HTML {
        guard !report.devices.isEmpty else { return .empty }
        return HTMLReport.section("Devices") {
            element("details") {
                element("summary", text: "Samples and hashes of \(listed)")
                element("div", .class("wide")) {
                    element("table") {
                        element("thead") {
                            element("tr") {
                                ["Device", "Model", "Samples", "SHA-256 of all that it made"].map {
                                    element("th", .init("scope", "col"), text: $0)
                                }
                            }
                        }
                        element("tbody") { report.devices.prefix(Self.mostRows).map(row) }
                    }
                }
            }
        }
    }

    private var listed: String {
        let count = report.devices.count
        return count > Self.mostRows
            ? "the first \(Self.mostRows) of \(NumberText.grouped(count)) devices"
            : "\(count) devices"
    }

    private func row(_ device: FleetReport.Device) -> HTML {
        element("tr") {
            element("th", .init("scope", "row"), text: "\(device.home)/\(device.device)")
            element("td", text: device.model)
            element("td", .class("number"), text: NumberText.grouped(device.samples))
            element("td") { element("code", .class("hash"), text: device.hash) }
        }
    }
}
