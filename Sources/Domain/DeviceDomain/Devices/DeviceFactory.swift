/// The common properties of the devices of one model, and how to create one.
public struct DeviceBlueprint: Sendable {
    /// The model.
    public let model: DeviceModel
    /// Its kind.
    public let kind: DeviceKind
    /// Its capabilities.
    public let capabilities: Set<Capability>
    /// Its commands.
    public let commands: [CommandSpecification]
    let make: @Sendable (DeviceProfile, DeviceReport) -> any Device

    public init(
        model: DeviceModel, kind: DeviceKind, capabilities: Set<Capability>,
        commands: [CommandSpecification],
        make: @escaping @Sendable (DeviceProfile, DeviceReport) -> any Device
    ) {
        self.model = model
        self.kind = kind
        self.capabilities = capabilities
        self.commands = commands
        self.make = make
    }
}

/// Creates devices by model, from a table to which a new kind adds one line.
public struct DeviceFactory: Sendable {
    private var blueprints: [DeviceModel: DeviceBlueprint] = [:]
    private var kinds: [DeviceKind: DeviceBlueprint] = [:]

    /// A factory of these models; of two blueprints for one model the later one is used.
    public init(_ blueprints: [DeviceBlueprint]) {
        for blueprint in blueprints { add(blueprint) }
    }

    private mutating func add(_ blueprint: DeviceBlueprint) {
        blueprints[blueprint.model] = blueprint
        kinds[blueprint.kind] = blueprint
    }

    /// This factory with more models.
    public func adding(_ blueprints: [DeviceBlueprint]) -> DeviceFactory {
        var factory = self
        for blueprint in blueprints { factory.add(blueprint) }
        return factory
    }

    /// The kinds that the package knows, a line each.
    public static let standard = DeviceFactory(
        SweepingRobot.blueprints
            + PoolRobot.blueprints
            + EnergyStore.blueprints
    )

    /// The models that this factory knows, in the order of their names.
    public var models: [DeviceModel] {
        blueprints.keys.sorted { $0.rawValue < $1.rawValue }
    }

    /// The blueprint of a model.
    /// - Throws: ``UnknownModel``.
    public func blueprint(of model: DeviceModel) throws(UnknownModel) -> DeviceBlueprint {
        guard let blueprint = blueprints[model] else {
            throw UnknownModel(model: model, known: models)
        }
        return blueprint
    }

    /// A device by its model alone, with the model's own capabilities and commands.
    /// - Throws: ``UnknownModel``.
    public func makeDevice(
        model: DeviceModel, id: DeviceID, home: HomeID, name: String? = nil, firmware: String = ""
    ) throws(UnknownModel) -> any Device {
        let blueprint = try blueprint(of: model)
        let profile = DeviceProfile(
            id: id, home: home, kind: blueprint.kind, model: model, name: name ?? id.text,
            firmware: firmware, capabilities: blueprint.capabilities, commands: blueprint.commands)
        return blueprint.make(profile, DeviceReport())
    }

    /// A device that has described itself: of the type of its model, else of the type of its kind,
    /// else a ``GenericDevice``.
    public func makeDevice(
        profile: DeviceProfile, report: DeviceReport = DeviceReport()
    ) -> any Device {
        let blueprint = blueprints[profile.model] ?? kinds[profile.kind]
        return blueprint?.make(profile, report) ?? GenericDevice(profile: profile, report: report)
    }
}

/// The factory has no blueprint of a model.
public struct UnknownModel: Error, Hashable, Sendable, CustomStringConvertible {
    /// The model that was asked for.
    public let model: DeviceModel
    /// The models that are known.
    public let known: [DeviceModel]

    public var description: String {
        let list = known.map(\.rawValue).joined(separator: ", ")
        return "unknown model \(model.rawValue.debugDescription); known models are \(list)"
    }
}
