import Homeport
import TerminalOutput

/// What `devices --watch` has printed: from it follows which change of a device is worth a line.
struct PrintedDevices: Sendable {
    /// Where the columns of the first list stand.
    private struct Columns {
        let plan: TablePlan
        let places: [Int]

        func lines(of cells: [TextTable.Cell]) -> String {
            plan.lines(of: places.map { cells[$0] }).joined(separator: "\n")
        }
    }

    private let renderer: DevicesRenderer
    private var columns: Columns?
    private var latest: [DeviceID: String] = [:]

    init(style: ListStyle, layout: Layout = .plain) {
        renderer = DevicesRenderer(style: style, layout: layout)
    }

    /// The whole list. Later lines keep its columns.
    mutating func lines(for devices: [KnownDevice]) -> [String] {
        let listing = renderer.listing(of: devices)
        var titles: [String] = []
        if renderer.style.isTable {
            let table = listing.table(renderer.style)
            let plan = table.plan(in: renderer.layout)
            columns = Columns(plan: plan, places: listing.places(renderer.style))
            titles = [plan.titles(of: table.columns)]
        }
        for device in devices { latest[device.id] = text(for: device) }
        let lines = listing.lines(renderer.style, in: renderer.layout)
        // Of what comes later people see which column is which.
        return lines.isEmpty ? titles : lines
    }

    /// The line for a device; `nil` where nothing that is shown has changed.
    /// - Parameter device: what is known of it now; `nil` if it is gone, or does not pass any more.
    mutating func line(for id: DeviceID, _ device: KnownDevice?) -> String? {
        guard let device else {
            return latest.removeValue(forKey: id) == nil ? nil : removal(of: id)
        }
        let text = text(for: device)
        return latest.updateValue(text, forKey: id) == text ? nil : text
    }

    private func text(for device: KnownDevice) -> String {
        columns?.lines(of: renderer.cells(for: device)) ?? device.listing.text
    }

    private func removal(of id: DeviceID) -> String {
        if let columns { return columns.lines(of: renderer.cells(forRemoved: id)) }
        var line = JSONLine()
        line.add("type", "removed")
        line.add("device", id.text)
        return line.text
    }
}
