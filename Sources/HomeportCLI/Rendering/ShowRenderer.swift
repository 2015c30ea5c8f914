import Homeport

/// All that is known of one device, as `show` prints it.
struct ShowRenderer: Sendable {
    let format: OutputFormat

    /// The lines for a device.
    func lines(for device: KnownDevice) -> [String] {
        switch format {
        case .human:
            heading(of: device) + identity(of: device) + report(of: device)
                + commands(of: device)
        case .json:
            [object(for: device).text]
        }
    }

    private func object(for device: KnownDevice) -> JSONLine {
        var line = device.listing
        guard let profile = device.profile else {
            line.add("description", JSONValue.null)
            return line
        }
        var description = JSONLine()
        description.addMembers(of: DescriptionMessage(profile: profile))
        line.add("description", description)
        return line
    }

    private func heading(of device: KnownDevice) -> [String] {
        let name = device.profile?.name ?? ""
        let id = device.id.text
        return [name.isEmpty || name == id ? id : "\(id) – \(name.printable)"]
    }

    private func identity(of device: KnownDevice) -> [String] {
        let boot = device.connection.boot.map { ", boot \($0.text)" } ?? ""
        let capabilities = device.profile?.capabilities.map(\.rawValue).sorted() ?? []
        return section(
            [
                ("home", device.home.text),
                ("channel", device.channel.text),
                ("kind", device.profile?.kind.rawValue ?? "unknown"),
                ("model", device.profile?.model.rawValue ?? "unknown"),
                ("firmware", device.profile?.firmware ?? ""),
                ("capabilities", capabilities.joined(separator: ", ")),
                ("presence", device.connection.word + boot),
                ("problem", device.problem ?? ""),
            ].filter { !$0.1.isEmpty })
    }

    private func report(of device: KnownDevice) -> [String] {
        let revision = device.state?.revision.map { " (revision \($0))" } ?? ""
        return ["", "State\(revision)"]
            + members(device.state?.members ?? [:], otherwise: "none was reported")
            + ["", "Telemetry"]
            + members(
                device.telemetry?.values ?? [:], otherwise: "no sample yet (one every few seconds)")
    }

    private func members(_ members: JSONObject, otherwise: String) -> [String] {
        guard !members.isEmpty else { return ["  \(otherwise)"] }
        return section(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.brief) })
    }

    private func commands(of device: KnownDevice) -> [String] {
        guard let profile = device.profile else {
            return ["", "Commands", "  the device has not described itself"]
        }
        var table = TextTable(titles: ["COMMAND", "SORT", "ARGUMENTS"])
        for command in profile.commands.sorted(by: { $0.name.rawValue < $1.name.rawValue }) {
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
