package import DeviceDomain

/// Makes behaviours from models: a table, so that a new kind is one line.
package struct BehaviourCatalog: Sendable {
    /// Makes the behaviour of one device; `world` is the world clock at its start.
    package typealias Maker =
        @Sendable (_ identity: DeviceIdentity, _ seed: DeviceSeeds, _ world: Timestamp)
        -> any DeviceBehaviour

    private let makers: [DeviceModel: Maker]

    package init(_ makers: [DeviceModel: Maker]) { self.makers = makers }

    /// The kinds that can be simulated.
    package static let standard = BehaviourCatalog(
        SweepingBehaviour.makers
            .merging(PoolBehaviour.makers) { first, _ in first }
            .merging(EnergyBehaviour.makers) { first, _ in first }
    )

    /// The models that can be simulated, in the order of their names.
    package var models: [DeviceModel] { makers.keys.sorted { $0.rawValue < $1.rawValue } }

    /// The behaviour of a device.
    /// - Throws: ``UnsimulatedModel``.
    func makeBehaviour(
        identity: DeviceIdentity, seed: DeviceSeeds, at world: Timestamp
    ) throws(UnsimulatedModel) -> any DeviceBehaviour {
        guard let make = makers[identity.model] else {
            throw UnsimulatedModel(model: identity.model, known: models)
        }
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
