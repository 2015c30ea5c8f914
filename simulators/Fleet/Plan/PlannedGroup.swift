package import DeviceDomain
import DeviceSimulation

/// Devices of one kind that each home has, and what they have in common.
package struct PlannedGroup: Hashable, Sendable {
    /// What they have in common; its name is what their names begin with.
    package var group: DeviceGroup
    /// Their kind.
    package var kind: DeviceKind
    /// Their model; `nil` for the models of the kind in turns.
    package var model: DeviceModel?
    /// How many of them a home has.
    package var count: Int

    package init(
        _ group: DeviceGroup, kind: DeviceKind, model: DeviceModel? = nil, count: Int
    ) {
        self.group = group
        self.kind = kind
        self.model = model
        self.count = count
    }

    /// The groups of a run without a scenario: one for each kind that can be simulated.
    package static func usual(_ counts: DeviceCounts) -> [PlannedGroup] {
        BehaviourCatalog.standard.kinds.map {
            PlannedGroup(DeviceGroup(name: "\($0.word)"), kind: $0.kind, count: counts[$0.kind])
        }
    }

    /// The name of one of its devices.
    /// - Parameter number: from 1.
    /// - Throws: `InvalidIdentifier` where name and number make no valid identifier.
    package func device(_ number: Int) throws(InvalidIdentifier) -> DeviceID {
        try DeviceID("\(group.name)-\(number)")
    }
}
