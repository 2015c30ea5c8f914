import DeviceDomain
import Testing

@Suite struct DeviceFactoryTests {
    private func make(_ model: String, by factory: DeviceFactory = .standard) throws -> any Device {
        try factory.makeDevice(
            model: DeviceModel(rawValue: model), id: DeviceID("d-1"), home: HomeID("h-1"))
    }

    @Test func everyModelOfTheProtocolIsKnown() {
        #expect(
            DeviceFactory.standard.models.map(\.rawValue) == [
                "pool-c1", "pool-p1", "store-e10", "store-e5", "sweeper-pro", "sweeper-s1",
            ])
    }

    @Test func aModelBecomesItsType() throws {
        #expect(try make("sweeper-s1") is SweepingRobot)
        #expect(try make("sweeper-pro") is SweepingRobot)
        #expect(try make("pool-p1") is PoolRobot)
        #expect(try make("store-e10") is EnergyStore)
    }

    @Test func anUnknownModelIsATypedError() {
        let error = #expect(throws: UnknownModel.self) { try make("toaster-t1") }
        #expect(error?.model.rawValue == "toaster-t1")
        #expect(error?.description.contains("known models are pool-c1, ") == true)
    }

    @Test func capabilitiesOfTheModelsDiffer() throws {
        #expect(try make("pool-c1").profile.capabilities.contains(.batteryPowered))
        #expect(try !make("pool-p1").profile.capabilities.contains(.batteryPowered))
        #expect(try make("store-e5").profile.capabilities.contains(.energyStorage))
    }

    @Test func everyModelTakesTheCommandsOfEveryDevice() throws {
        for model in DeviceFactory.standard.models {
            let names = try make(model.rawValue).profile.commands.map(\.name)
            #expect(Set(names).isSuperset(of: [.queryCommands, .cancelCommand, .identify]))
            #expect(Set(names).count == names.count)
        }
    }

    /// A fourth kind needs one new file, `Lawnmower.swift`, and the one line of a factory below.
    @Test func aFourthKindIsOneFileAndOneLine() throws {
        let factory = DeviceFactory(
            SweepingRobot.blueprints
                + PoolRobot.blueprints
                + EnergyStore.blueprints
                + Lawnmower.blueprints
        )
        var mower = try #require(try make("mower-m1", by: factory) as? Lawnmower)
        #expect(try make("sweeper-s1", by: factory) is SweepingRobot)
        #expect(throws: UnknownModel.self) { try make("mower-m1") }

        mower.apply(Presence(.online, boot: try BootID("b1")))
        #expect(mower.connection.isOnline)
        mower.report.apply(state: ["batteryPercent": 80], revision: 1)
        #expect(mower.battery == Percentage(80))
        #expect(CommandRequest<Lawnmower>.returnToDock.name == .returnToDock)
        #expect(CommandRequest<Lawnmower>.mow == .mow)
        #expect(try mower.request(.mow).arguments.isEmpty)
        #expect(throws: CommandRefusal.self) { try mower.request(.mow, arguments: ["x": 1]) }
        #expect(throws: CommandRefusal.self) { try mower.request(.charge) }
    }

    @Test func anUnknownModelHasTheTypeOfItsKindAndAnUnknownKindIsGeneric() throws {
        let known = try make("sweeper-s1").profile
        func device(kind: DeviceKind) -> any Device {
            DeviceFactory.standard.makeDevice(
                profile: DeviceProfile(
                    id: known.id, home: known.home, kind: kind,
                    model: DeviceModel(rawValue: "sweep-o-matic"), name: "", firmware: "",
                    capabilities: [], commands: []))
        }
        #expect(device(kind: .sweepingRobot) is SweepingRobot)
        #expect(device(kind: .energyStore) is EnergyStore)
        #expect(device(kind: DeviceKind(rawValue: "toaster")) is GenericDevice)
    }

    @Test func ofTwoBlueprintsForOneModelTheLaterHolds() throws {
        let model = DeviceModel(rawValue: "sweeper-s1")
        let factory = DeviceFactory(
            SweepingRobot.blueprints + [
                DeviceBlueprint(
                    model: model, kind: .sweepingRobot, capabilities: [], commands: []
                ) { GenericDevice(profile: $0, report: $1) }
            ])
        #expect(try make("sweeper-s1", by: factory) is GenericDevice)
    }
}
