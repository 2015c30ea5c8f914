/// The power that a model of energy store can take and give at its AC terminals.
public struct EnergyStoreRating: Hashable, Sendable {
    /// The largest power when charging, in watts.
    public let chargeW: Double
    /// The largest power when discharging, in watts.
    public let dischargeW: Double

    public init(chargeW: Double, dischargeW: Double) {
        self.chargeW = chargeW
        self.dischargeW = dischargeW
    }
}

extension EnergyStore {
    /// The ratings of the models: `store-e5` after system SG1 of the PerMod measurements (HTW
    /// Berlin) scaled to 2.5 kW, `store-e10` after system S2 (3572 W / 3507 W).
    public static let ratings: [DeviceModel: EnergyStoreRating] = [
        DeviceModel(rawValue: "store-e5"): EnergyStoreRating(chargeW: 2500, dischargeW: 2500),
        DeviceModel(rawValue: "store-e10"): EnergyStoreRating(chargeW: 3572, dischargeW: 3507),
    ]

    /// The models of this kind.
    public static let blueprints = ratings.sorted { $0.key.rawValue < $1.key.rawValue }.map {
        model, rating in
        DeviceBlueprint(
            model: model, kind: .energyStore,
            capabilities: [.connectable, .controllable, .energyStorage],
            commands: commands(rated: rating)
        ) { EnergyStore(profile: $0, report: $1) }
    }

    /// The range that a charge limit is chosen from, in percent.
    public static let allowedChargeLimit = 50...100

    /// The commands of this kind (PROTOCOL section 5); without a rating their power has no upper
    /// limit.
    public static func commands(rated rating: EnergyStoreRating? = nil) -> [CommandSpecification] {
        CommandSpecification.ofEveryDevice + [
            .setting(.setMode, ["mode": .oneOf(Mode.allCases.map(\.rawValue))]),
            .setting(.setChargeLimit, ["percent": .integer(allowedChargeLimit)]),
            .setting(.setReserve, ["percent": .integer(0...100)]),
            transfer(.charge, upTo: rating?.chargeW),
            transfer(.discharge, upTo: rating?.dischargeW),
            .stop,
            .setting(
                .setIslanding, ["enabled": ArgumentSchema(type: .boolean)], offline: .failFast,
                needsIfRevision: true),
        ]
    }

    /// The schema's smallest power is 0, which devices refuse: the subset of JSON Schema that
    /// devices declare has no exclusive minimum.
    private static func transfer(_ name: CommandName, upTo watts: Double?) -> CommandSpecification {
        CommandSpecification(
            name: name,
            arguments: .members(
                [
                    "powerW": ArgumentSchema(type: .number, minimum: 0, maximum: watts),
                    "untilPercent": .integer(0...100),
                ],
                optional: ["untilPercent"]),
            sort: .action, undo: .inverse(with: .stop))
    }
}
