import Homeport
import TerminalOutput

/// What `devices --watch` has printed: from it follows which change of a device is worth a line.
struct PrintedDevices: Sendable {
    private let renderer: DevicesRenderer
    private var plan: TablePlan?
    private var latest: [DeviceID: String] = [:]

    init(format: OutputFormat, layout: Layout = .plain) {
        renderer = DevicesRenderer(format: format, layout: layout)
    }

    /// The whole list. Later lines keep its columns.
    mutating func lines(for devices: [KnownDevice]) -> [String] {
        let table = renderer.table(of: devices)
        if renderer.format == .human { plan = table.plan(in: renderer.layout) }
        for device in devices { latest[device.id] = text(for: device) }
        return switch renderer.format {
        case .human: table.lines(in: renderer.layout)
        case .json: renderer.lines(for: devices)
        }
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
        plan.map { $0.lines(of: renderer.row(for: device)).joined(separator: "\n") }
            ?? device.listing.text
    }

    private func removal(of id: DeviceID) -> String {
        if let plan { return plan.lines(of: renderer.row(forRemoved: id)).joined(separator: "\n") }
        var line = JSONLine()
        line.add("type", "removed")
        line.add("device", id.text)
        return line.text
    }
}
