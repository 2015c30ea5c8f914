package import DeviceDomain

/// The kinds and models that can be simulated: the one table that all others read.
package struct BehaviourCatalog: Sendable {
    /// Makes the behaviour of one device; `world` is the world clock at its start.
    package typealias Maker =
        @Sendable (_ identity: DeviceIdentity, _ seed: DeviceSeeds, _ world: Timestamp)
        -> any DeviceBehaviour

    /// The kinds, in the order in which the devices of a home are numbered through.
    package let kinds: [SimulatedKind]
    private let table: [DeviceModel: SimulatedModel]

    package init(_ kinds: [SimulatedKind]) {
        self.kinds = kinds
        table = Dictionary(
            kinds.flatMap(\.models).map { ($0.model, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The kinds that can be simulated.
    package static let standard = BehaviourCatalog([
        .sweepingRobots, .poolRobots, EnergyBehaviour.kind,
    ])

    /// The numbers of what devices live in, by the names under which they are printed: home and weather.
    package static let surroundings: [(name: String, specification: any ModelSpecification)] = [
        ("home", HomeSpecification()), ("weather", WeatherRatings.standard),
    ]

    /// The models that can be simulated, in the order of their names.
    package var models: [DeviceModel] { table.keys.sorted { $0.rawValue < $1.rawValue } }

    /// The names of groups of devices as people read them: `all, sweepers, pools, stores`.
    package var groups: String { (["all"] + kinds.map(\.group)).joined(separator: ", ") }

    /// The behaviour of a device.
    /// - Parameter parameters: numbers of the model that it draws from other ranges, by their names.
    /// - Throws: ``UnsimulatedModel``.
    func makeBehaviour(
        identity: DeviceIdentity, seed: DeviceSeeds,
        parameters: [String: ClosedRange<Double>] = [:], at world: Timestamp
    ) throws(UnsimulatedModel) -> any DeviceBehaviour {
        guard let model = table[identity.model] else {
            throw UnsimulatedModel(model: identity.model, known: models)
        }
        let make = parameters.isEmpty ? model.make : model.makeAdjusted(parameters)
        return make(identity, seed, world)
    }

    /// The kind of a model; `generic` where none is known.
    package static func kind(of model: DeviceModel) -> DeviceKind {
        (try? DeviceFactory.standard.blueprint(of: model).kind) ?? DeviceKind(rawValue: "generic")
    }

    /// What the device says of itself: kind and capabilities of its model, its commands, and the floor
    /// on which it moves.
    func profile(
        of identity: DeviceIdentity, taking commands: [CommandSpecification], on plan: RoomPlan?
    ) -> DeviceProfile {
        let blueprint = try? DeviceFactory.standard.blueprint(of: identity.model)
        return DeviceProfile(
            id: identity.device, home: identity.home, kind: Self.kind(of: identity.model),
            model: identity.model,
            name: identity.name, firmware: identity.firmware,
            capabilities: blueprint?.capabilities ?? [.connectable, .controllable],
            commands: commands, plan: plan)
    }
}

/// No behaviour is known for a model.
package struct UnsimulatedModel: Error, Hashable, Sendable, CustomStringConvertible {
    /// The model that was asked for.
    package let model: DeviceModel
    /// The models that can be simulated.
    package let known: [DeviceModel]

    package var description: String {
        let list = known.map(\.rawValue).joined(separator: ", ")
        return "model \(model.rawValue.debugDescription) cannot be simulated; choose from \(list)"
    }
}
