package import DeviceDomain

/// A kind of device that can be simulated: all that plans, options, groups and faults know about it.
///
/// A new kind is a folder with a ``DeviceBehaviour`` and its kind, and one line of ``BehaviourCatalog/standard``.
package struct SimulatedKind: Sendable {
    /// Its name on the wire.
    package let kind: DeviceKind
    /// What its devices are named after: `pool` makes `pool-1`.
    package let word: StaticString
    /// What people call a device: `Pool robot` makes `Pool robot 1`.
    package let title: String
    /// What help calls its devices, such as `Pool robots`.
    package let plural: String
    /// The name of all its devices together, and of the option with their number.
    package let group: String
    /// How many of them a home has unless somebody asks for others.
    package let usualCount: Int
    /// Its models, in the order in which devices take turns; at least one.
    package let models: [SimulatedModel]
    /// The model of a boxed device of this kind.
    package let boxedModel: DeviceModel
    /// The faults that only devices of this kind, and of others that name them too, can have.
    package let faults: [SimulatedFault]
}

/// A model that can be simulated.
package struct SimulatedModel: Sendable {
    /// Its name on the wire.
    package let model: DeviceModel
    /// Its numbers, which its devices use.
    package let specification: any ModelSpecification
    /// Makes the behaviour of one of its devices.
    let make: BehaviourCatalog.Maker
    /// Makes the behaviour of a device that draws numbers from these ranges, by their names.
    let makeAdjusted:
        @Sendable (_ parameters: [String: ClosedRange<Double>]) -> BehaviourCatalog.Maker

    /// A model whose devices use `specification`.
    init<Specification: ModelSpecification>(
        _ model: DeviceModel, _ specification: Specification,
        make: @escaping @Sendable (Specification) -> BehaviourCatalog.Maker
    ) {
        self.model = model
        self.specification = specification
        self.make = make(specification)
        makeAdjusted = { make(specification.adjusted(to: $0)) }
    }

    /// The numbers that can be given for some of its devices, and from where to where.
    package var adjustable: [(name: String, range: ClosedRange<Double>)] {
        let names = specification.adjustable
        return specification.ratings.compactMap { name, rating in
            guard names.contains(name), let range = rating.adjustment ?? rating.range else {
                return nil
            }
            return (name, range)
        }
    }
}
