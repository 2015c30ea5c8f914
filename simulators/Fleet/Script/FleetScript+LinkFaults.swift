package import DeviceDomain
import DeviceSimulation

/// How many devices of a part of a fleet have faults of their network some time.
package struct LinkFaultCount: Hashable, Sendable {
    /// Those whose connections go over a network that is changed.
    package private(set) var shaped = 0
    /// Those whose id another client has.
    package private(set) var takenOver = 0

    package init() {}

    /// How many open files these faults take beside one for each device: what takes the place of the network has two,
    /// and another client has one.
    package var files: Int { 2 * shaped + takenOver }

    fileprivate mutating func count(_ faults: Set<SimulatedFault>) {
        if !faults.isDisjoint(with: SimulatedFault.shapingLinks) { shaped += 1 }
        if faults.contains(.takeover) { takenOver += 1 }
    }
}

extension FleetScript {
    /// How many devices of some homes have faults of their network some time.
    package func linkFaults(in homes: Set<HomeID>) -> LinkFaultCount {
        var faults: [DeviceKey: Set<SimulatedFault>] = [:]
        for entry in entries where homes.contains(entry.device.home) {
            guard case .fault(.inject(let fault, _)) = entry.event else { continue }
            faults[entry.device, default: []].insert(fault.name)
        }
        return faults.values.reduce(into: LinkFaultCount()) { $0.count($1) }
    }
}

extension SimulatedFault {
    /// Those for which something takes the place of the network. A reset needs nothing.
    fileprivate static let shapingLinks: Set<SimulatedFault> = [
        .blackhole, .halfOpen, .slowLink, .latency, .loss,
    ]
}
