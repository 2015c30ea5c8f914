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
    /// The last instant of the world clock in it.
    private(set) var world: Timestamp?

    subscript(key: DeviceKey) -> Device { devices[key] ?? Device() }

    mutating func apply(_ line: JournalLine) {
        if let instant = line.world { world = world.map { max($0, instant) } ?? instant }
        switch line.content {
        case .boot(let boot): devices[line.key, default: Device()].boot = boot
        case .record(let record): devices[line.key, default: Device()].state.apply(record)
        }
    }

    /// The compacted journal, device by device.
    var lines: [JournalLine] {
        var lines = devices.sorted { $0.key < $1.key }.flatMap { key, device in
            (device.boot.map { [JournalLine(key: key, content: .boot($0))] } ?? [])
                + device.state.records.map { JournalLine(key: key, content: .record($0)) }
        }
        if !lines.isEmpty { lines[0].world = world }
        return lines
    }

    /// The devices of each bucket by themselves.
    var byBucket: [HomeBucket: JournalFold] {
        devices.reduce(into: [:]) { folds, device in
            let bucket = HomeBucket(of: device.key.home)
            folds[bucket, default: JournalFold()].devices[device.key] = device.value
            folds[bucket]?.world = world
        }
    }

    /// Takes in what another part of the journal says.
    mutating func merge(_ other: JournalFold) {
        devices.merge(other.devices) { _, new in new }
        if let instant = other.world { world = world.map { max($0, instant) } ?? instant }
    }
}
