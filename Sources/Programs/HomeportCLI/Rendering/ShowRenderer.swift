import Homeport
import TerminalOutput

/// All that is known of one device, as `show` prints it.
struct ShowRenderer: Sendable {
    /// What there is to say of a device's telemetry.
    enum Telemetry: Hashable, Sendable {
        /// The device is not one that sends any.
        case none
        /// It was not waited for.
        case asKnown
        /// It was waited for so long, where none has come.
        case awaited(Duration)
    }

    let format: OutputFormat
    var layout = Layout.plain
    var telemetry = Telemetry.asKnown
    /// How people read a time.
    var time: @Sendable (Timestamp) -> String = LocalTime.dateAndTime

    /// Lines that one value may take on a terminal.
    private static let lineLimit = 8

    /// The lines for a device.
    func lines(for device: KnownDevice) -> [String] {
        switch format {
        case .human:
            heading(of: device) + identity(of: device) + ways(of: device)
                + presenceHistory(of: device)
                + state(of: device) + telemetry(of: device) + commands(of: device)
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
        let (id, name) = (device.id.text, device.name)
        let text = name == id ? id : "\(id) – \(name.printable)"
        return [layout.paint(layout.fitted(text), .title)]
    }

    private func identity(of device: KnownDevice) -> [String] {
        let capabilities = device.profile?.capabilities.map(\.rawValue).sorted() ?? []
        return section(
            [
                ("home", .init(device.home.text)),
                ("room", .init(device.label.room?.text ?? "")),
                ("own name", .init(device.label.name.flatMap { _ in device.profile?.name } ?? "")),
                ("channel", .init(device.channel.text)),
                ("kind", .init(device.profile?.kind.rawValue ?? "unknown")),
                ("model", .init(device.profile?.model.rawValue ?? "unknown")),
                ("firmware", .init(device.profile?.firmware ?? "")),
                ("capabilities", .init(capabilities.joined(separator: ", "))),
                ("presence", .init(presence(of: device), device.connection.tone)),
                ("problem", .init(device.problem ?? "", .bad)),
            ].filter { !$0.1.text.isEmpty })
    }

    /// The channels that lead to the device, where it has several, and why one of them is used.
    private func ways(of device: KnownDevice) -> [String] {
        guard let ways = device.ways else { return [] }
        let rows = ways.all.map { way in
            let name = way.device == device.id ? "" : ", there \(way.device)"
            let use = way.channel == device.channel ? ", in use" : ""
            return (
                way.channel.text,
                TextTable.Cell(way.connection.word + name + use, way.connection.tone)
            )
        }
        return ["", title("Channels")] + section(rows + [("reason", .init(ways.reason))])
    }

    /// How the device could be reached while this process listened; one period says nothing new.
    private func presenceHistory(of device: KnownDevice) -> [String] {
        guard device.presenceHistory.count > 1 else { return [] }
        let rows = device.presenceHistory.map { period in
            (time(period.since), cell(of: period.connection))
        }
        return ["", title("Presence")] + section(rows)
    }

    /// The presence, and since when where the device says so.
    ///
    /// The time of an offline is not shown: a will was written when the device connected.
    private func presence(of device: KnownDevice) -> String {
        let connection = device.connection
        let boot = connection.boot.map { ", boot \($0.text)" } ?? ""
        guard case .online = connection, let since = device.presence?.at else {
            let former = device.rememberedSince.map { ", last heard \(time($0))" } ?? ""
            return connection.word + former + boot
        }
        return "\(connection.word) since \(time(since))\(boot)"
    }

    private func cell(of connection: ConnectionState) -> TextTable.Cell {
        TextTable.Cell(connection.word, connection.tone)
    }

    private func state(of device: KnownDevice) -> [String] {
        let source = device.ways?.stateSource.map { " (from \($0))" } ?? ""
        let revision = device.state?.revision.map { " (revision \($0))" } ?? source
        return ["", title("State\(revision)")]
            + members(device.state?.members ?? [:], otherwise: "none was reported")
    }

    private func telemetry(of device: KnownDevice) -> [String] {
        let sample = device.telemetry?.values ?? [:]
        if telemetry == .none, sample.isEmpty { return [] }
        return ["", title("Telemetry")] + members(sample, otherwise: reasonForNoSample(of: device))
    }

    private func reasonForNoSample(of device: KnownDevice) -> String {
        if case .offline = device.connection { return "no sample: the device is offline" }
        return switch telemetry {
        case .none, .asKnown: "no sample yet (one every few seconds)"
        case .awaited(let limit): "no sample came within \(limit.text)"
        }
    }

    private func members(_ members: JSONObject, otherwise: String) -> [String] {
        guard !members.isEmpty else { return ["  \(otherwise)"] }
        return section(members.sorted { $0.key < $1.key }.map { ($0.key, .init($0.value.brief)) })
    }

    private func commands(of device: KnownDevice) -> [String] {
        guard let profile = device.profile else {
            return ["", title("Commands"), "  the device has not described itself"]
        }
        var table = TextTable([
            .init("COMMAND", .cut(minimum: 16)), .init("SORT"),
            .init("ARGUMENTS", .wrapped(minimum: 20), goesBelow: true),
        ])
        for command in profile.commands.sorted(by: { $0.name.rawValue < $1.name.rawValue }) {
            table.add([
                .init(command.name.rawValue),
                .init(command.arguments == nil ? "–" : command.sort.rawValue),
                .init(command.arguments?.usage ?? "not described"),
            ])
        }
        return ["", title("Commands")] + table.lines(in: layout, indent: 2)
    }

    private func title(_ text: String) -> String { layout.paint(text, .title) }

    /// Names and values, the values broken into lines where the terminal is too narrow.
    private func section(_ rows: [(name: String, value: TextTable.Cell)]) -> [String] {
        let names = rows.map { row in
            layout.width.map { row.name.printable.fitted(to: max($0 / 3, 8)) } ?? row.name.printable
        }
        let width = min(names.map(\.columns).max() ?? 0, 64)
        return zip(names, rows).flatMap { name, row in
            let start = "  \(name.padded(to: width))  "
            let values = layout.width.map {
                row.value.text.wrapped(to: max($0 - start.columns, 8), limit: Self.lineLimit)
            }
            let lines = values ?? [row.value.text]
            return lines.enumerated().map { number, line in
                (number == 0 ? start : .blanks(start.columns)) + layout.paint(line, row.value.tone)
            }
        }
    }
}
