package import DeviceDomain

/// A fault that a device has.
package struct ActiveFault: Hashable, Sendable {
    /// What it is.
    package let fault: Fault
    /// When it ends by itself (world clock); `nil` for one that stays until it is cleared.
    package let end: Timestamp?
    /// When it began.
    let begin: FaultBegin
}

/// When a fault began, by both clocks.
struct FaultBegin: Hashable, Sendable {
    /// What the wire clock showed.
    let wire: Timestamp
    /// What the world clock showed.
    let world: Timestamp

    init(_ moment: DeviceMoment) {
        wire = moment.wire
        world = moment.world
    }
}

/// The faults of one device, each at most once, in the order of their names.
package struct ActiveFaults: Hashable, Sendable {
    /// Each of them.
    package private(set) var all: [ActiveFault] = []

    /// No fault.
    package static let none = ActiveFaults()

    /// The fault of this name, if the device has it.
    subscript(name: SimulatedFault) -> Fault? { active(name)?.fault }

    /// The fault of this name with its times, if the device has it.
    func active(_ name: SimulatedFault) -> ActiveFault? { all.first { $0.fault.name == name } }

    /// When the next one ends by itself (world clock).
    var nextEnd: Timestamp? { all.compactMap(\.end).min() }

    /// Adds a fault, or replaces the one of its name.
    mutating func insert(_ fault: Fault, until end: Timestamp?, at now: DeviceMoment) {
        _ = remove { $0.fault.name == fault.name }
        all.append(ActiveFault(fault: fault, end: end, begin: FaultBegin(now)))
        all.sort { $0.fault.name < $1.fault.name }
    }

    /// Removes those that match.
    /// - Returns: their names, in order.
    mutating func remove(where matches: (ActiveFault) -> Bool) -> [SimulatedFault] {
        let removed = all.filter(matches)
        all.removeAll(where: matches)
        return removed.map(\.fault.name)
    }
}

extension ActiveFaults {
    /// When the device starts anew because of ``SimulatedFault/rebootLoop`` (world clock).
    func nextReboot(after world: Timestamp) -> Timestamp? {
        guard let loop = active(.rebootLoop) else { return nil }
        let period = Int(loop.fault.value(of: .everySeconds) * 1000)
        let passed = max(0, world.since(loop.begin.world).wholeMilliseconds)
        return loop.begin.world.advanced(by: .milliseconds((passed / period + 1) * period))
    }

    /// Why they keep the device from connecting.
    var absences: Absences {
        var absences: Absences = []
        if self[.offline] != nil { absences.insert(.fault) }
        if self[.batteryDead] != nil { absences.insert(.dead) }
        return absences
    }
}
