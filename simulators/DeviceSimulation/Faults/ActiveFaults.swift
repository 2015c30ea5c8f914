package import DeviceDomain

/// A fault that a device has.
package struct ActiveFault: Hashable, Sendable {
    /// What it is.
    package let fault: Fault
    /// When it ends by itself (world clock); `nil` for one that stays until it is cleared.
    package let end: Timestamp?
}

/// The faults of one device, each at most once, in the order of their names.
package struct ActiveFaults: Hashable, Sendable {
    /// Each of them.
    package private(set) var all: [ActiveFault] = []

    /// No fault.
    package static let none = ActiveFaults()

    /// The fault of this name, if the device has it.
    subscript(name: SimulatedFault) -> Fault? { all.first { $0.fault.name == name }?.fault }

    /// When the next one ends by itself (world clock).
    var nextEnd: Timestamp? { all.compactMap(\.end).min() }

    /// Adds a fault, or replaces the one of its name.
    mutating func insert(_ fault: Fault, until end: Timestamp?) {
        _ = remove { $0.fault.name == fault.name }
        all.append(ActiveFault(fault: fault, end: end))
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
