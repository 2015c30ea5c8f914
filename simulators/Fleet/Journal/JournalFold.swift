import DeviceDomain
import DeviceSimulation

/// The result of replaying a journal: boot count and state of every device in it, including
/// devices that are not part of the current fleet.
struct JournalFold: Hashable, Sendable {
    /// One device's part.
    struct Device: Hashable, Sendable {
        /// Its last start; `nil` before the first one.
        var boot: BootCount?
        /// What it must remember.
        var state = DeviceJournalState.empty
    }

    private(set) var devices: [DeviceKey: Device] = [:]

    subscript(key: DeviceKey) -> Device { devices[key] ?? Device() }

    mutating func apply(_ line: JournalLine) {
        switch line.content {
        case .boot(let boot): devices[line.key, default: Device()].boot = boot
        case .record(let record): devices[line.key, default: Device()].state.apply(record)
        }
    }

    /// The compacted journal, device by device.
    var lines: [JournalLine] {
        devices.sorted { $0.key < $1.key }.flatMap { key, device in
            (device.boot.map { [JournalLine(key: key, content: .boot($0))] } ?? [])
                + device.state.records.map { JournalLine(key: key, content: .record($0)) }
        }
    }
}
