package import DeviceDomain
package import DeviceSimulation

/// What is to happen to devices of a fleet.
package enum FaultOrder: Hashable, Sendable {
    /// A fault happens; without a time it stays until it is cleared.
    case inject(Fault, lasting: Duration?)
    /// One fault ends, or all.
    case clear(SimulatedFault?)

    /// A fault as people write it.
    /// - Parameter lasting: how long, in world time; `nil` for a fault that stays.
    /// - Throws: `FaultRefusal` for an unknown fault or parameter, a parameter out of its range, and a time
    ///   for a fault that does not last.
    package init(
        injecting fault: String, setting settings: JSONObject, lasting: Duration?
    ) throws(FaultRefusal) {
        let name = try SimulatedFault(text: fault)
        guard lasting == nil || name.specification.lasts else {
            throw FaultRefusal("\(fault) happens at once and is over: leave out --for")
        }
        self = .inject(try Fault(name, setting: settings), lasting: lasting)
    }

    /// The fault that a device must be able to have.
    package var name: SimulatedFault? {
        switch self {
        case .inject(let fault, _): fault.name
        case .clear(let name): name
        }
    }

    /// The input of a device whose world clock shows `world`.
    func input(at world: Timestamp) -> DeviceInput {
        switch self {
        case .inject(let fault, let lasting):
            .inject(fault, until: lasting.map { world.advanced(by: $0) })
        case .clear(let name): .clear(name)
        }
    }
}
