import DeviceDomain
import DeviceMessages

/// All that is known of one device, as `show` prints it.
struct ShowRenderer: Sendable {
    let format: OutputFormat

    /// The lines for a device.
    /// - Parameter isDescribed: whether the device, or the ledger, told what it is.
    func lines(for device: any Device, isDescribed: Bool) -> [String] {
        switch format {
        case .human:
            heading(of: device) + identity(of: device) + report(of: device)
                + commands(of: device, isDescribed: isDescribed)
        case .json:
            [object(for: device, isDescribed: isDescribed).text]
        }
    }

    private func object(for device: any Device, isDescribed: Bool) -> JSONLine {
        var line = device.listing
        guard isDescribed else {
            line.add("description", JSONValue.null)
            return line
        }
        var description = JSONLine()
        description.addMembers(of: DescriptionMessage(profile: device.profile))
        line.add("description", description)
        return line
    }

    private func heading(of device: any Device) -> [String] {
        let name = device.profile.name
        let id = device.profile.id.text
        return [name.isEmpty || name == id ? id : "\(id) – \(name.printable)"]
    }

    private func identity(of device: any Device) -> [String] {
        let profile = device.profile
        let boot = device.report.connection.boot.map { ", boot \($0.text)" } ?? ""
        return section(
            [
                ("home", profile.home.text),
                ("kind", profile.kind.rawValue),
                ("model", profile.model.rawValue),
                ("firmware", profile.firmware),
                (
                    "capabilities",
                    profile.capabilities.map(\.rawValue).sorted().joined(separator: ", ")
                ),
                ("presence", device.report.connection.word + boot),
            ].filter { !$0.1.isEmpty })
    }

    private func report(of device: any Device) -> [String] {
        let revision = device.report.revision.map { " (revision \($0))" } ?? ""
        return ["", "State\(revision)"]
            + members(device.report.state, otherwise: "none was reported")
            + ["", "Telemetry"]
            + members(device.report.telemetry ?? [:], otherwise: "none came meanwhile; see watch")
    }

    private func members(_ members: JSONObject, otherwise: String) -> [String] {
        guard !members.isEmpty else { return ["  \(otherwise)"] }
        return section(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.brief) })
    }

    private func commands(of device: any Device, isDescribed: Bool) -> [String] {
        guard isDescribed else { return ["", "Commands", "  the device has not described itself"] }
        var table = TextTable(titles: ["COMMAND", "SORT", "ARGUMENTS"])
        for command in device.profile.commands.sorted(by: { $0.name.rawValue < $1.name.rawValue }) {
            table.add([
                command.name.rawValue, command.arguments == nil ? "–" : command.sort.rawValue,
                command.arguments?.usage ?? "not described",
            ])
        }
        return ["", "Commands"] + table.lines.map { "  \($0)" }
    }

    private func section(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.columns).max() ?? 0
        return rows.map { name, value in
            let name = name.printable
            let blanks = String(repeating: " ", count: max(width - name.columns, 0) + 2)
            return "  \(name)\(blanks)\(value.printable)"
        }
    }
}
