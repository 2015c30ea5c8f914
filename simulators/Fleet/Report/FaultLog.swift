import DeviceDomain
import DeviceMessages
import DeviceSimulation

/// The faults that were injected in a run.
struct FaultLog: Hashable, Sendable {
    /// A fault of a device.
    struct Entry: Hashable, Sendable {
        let fault: String
        let device: DeviceKey
        /// When it began (world clock).
        let from: Timestamp
        /// When it ended or will end; `nil` for one that stays.
        var until: Timestamp?
    }

    private struct Name: Hashable {
        let fault: SimulatedFault
        let device: DeviceKey
    }

    /// All of them, in the order in which they began.
    private(set) var entries: [Entry] = []
    /// The newest entry of each fault of a device.
    private var newest: [Name: Int] = [:]

    /// Notes what happens to a device.
    mutating func note(_ order: FaultOrder, of device: DeviceKey, at world: Timestamp) {
        switch order {
        case .inject(let fault, let lasting):
            let isShort = !fault.name.specification.lasts
            note(
                Name(fault: fault.name, device: device), from: world,
                until: isShort ? world : lasting.map { world.advanced(by: $0) })
        case .clear(let fault):
            let names = (fault.map { [$0] } ?? SimulatedFault.allCases)
                .map { Name(fault: $0, device: device) }
            for name in names { end(name, at: world) }
        }
    }

    private mutating func note(_ name: Name, from: Timestamp, until: Timestamp?) {
        if let place = newest[name], isOpen(entries[place], at: from) {
            entries[place].until = until
        } else {
            newest[name] = entries.count
            entries.append(
                Entry(fault: name.fault.rawValue, device: name.device, from: from, until: until))
        }
    }

    private mutating func end(_ name: Name, at world: Timestamp) {
        guard let place = newest[name], isOpen(entries[place], at: world) else { return }
        entries[place].until = world
    }

    private func isOpen(_ entry: Entry, at world: Timestamp) -> Bool {
        entry.until.map { $0 > world } ?? true
    }
}

extension FaultLog.Entry {
    /// As a report has it.
    var members: JSONObject {
        [
            "fault": .string(fault), "home": .string(device.home.text),
            "device": .string(device.device.text), "from": .integer(from.milliseconds),
            "until": until.map { .integer($0.milliseconds) } ?? .null,
        ]
    }

    /// What a report says; `nil` where that is no fault of a device.
    init?(_ members: JSONObject) {
        guard let fault = members["fault"]?.string, let from = members["from"]?.integer,
            let home = members["home"]?.string.flatMap(HomeID.init(rawValue:)),
            let device = members["device"]?.string.flatMap(DeviceID.init(rawValue:))
        else { return nil }
        self.init(
            fault: fault, device: DeviceKey(home: home, device: device),
            from: Timestamp(milliseconds: from),
            until: members["until"]?.integer.map(Timestamp.init(milliseconds:)))
    }
}
