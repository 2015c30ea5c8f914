import DeviceDomain

extension EnergyBehaviour {
    /// Energy stores.
    static let kind = SimulatedKind(
        kind: .energyStore, word: "store", title: "Energy store", plural: "Energy stores",
        group: "stores", usualCount: 2,
        models: [
            SimulatedModel(DeviceModel(rawValue: "store-e5"), StorageSystem.e5, make: maker),
            SimulatedModel(DeviceModel(rawValue: "store-e10"), StorageSystem.e10, make: maker),
        ],
        boxedModel: DeviceModel(rawValue: "store-e5"),
        faults: [.overTemperature, .gridOutage, .meterLost])
}
