import DeviceDomain
import Testing

/// The typed commands of the three kinds fit the schemas that the kinds declare.
@Suite struct CommandTests {
    private func make<Kind: Device>(_ model: String, as _: Kind.Type) throws -> Kind {
        let device = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: model), id: DeviceID("d-1"), home: HomeID("h-1"))
        return try #require(device as? Kind)
    }

    private func expectFits<Receiver: Controllable>(
        _ request: CommandRequest<Receiver>, _ receiver: Receiver
    ) throws {
        #expect(try receiver.request(request.name, arguments: request.arguments) == request)
    }

    @Test func aSweepersCommandsFitItsSchemas() throws {
        let robot = try make("sweeper-s1", as: SweepingRobot.self)
        try expectFits(.startCleaning(), robot)
        try expectFits(.startCleaning(passes: 1), robot)
        try expectFits(.startCleaning(rooms: [3, 5], passes: 3), robot)
        try expectFits(.cleanSpot(x: 1.5, y: -2), robot)
        try expectFits(.moveTo(x: 1.5, y: -2), robot)
        try expectFits(.returnToDock, robot)
        try expectFits(.locate, robot)
        try expectFits(.pause, robot)
        try expectFits(.resume, robot)
        try expectFits(.stop, robot)
        try expectFits(.identify, robot)
        for level in SweepingRobot.SuctionLevel.allCases {
            try expectFits(.setSuctionLevel(level), robot)
        }
    }

    @Test func aPoolRobotsCommandsFitItsSchemas() throws {
        let robot = try make("pool-p1", as: PoolRobot.self)
        for program in PoolRobot.Program.allCases {
            try expectFits(.startProgram(program), robot)
        }
        for level in PoolRobot.PowerLevel.allCases {
            try expectFits(.setPowerLevel(level), robot)
        }
        try expectFits(.surface, robot)
        try expectFits(.pause, robot)
        try expectFits(.resume, robot)
        try expectFits(.stop, robot)
        let entry = try WeeklySchedule.Entry(weekday: 7, minuteOfDay: 1439, program: .walls)
        try expectFits(.setSchedule(try WeeklySchedule([entry])), robot)
    }

    @Test func anEnergyStoresCommandsFitItsSchemas() throws {
        let store = try make("store-e5", as: EnergyStore.self)
        for mode in EnergyStore.Mode.allCases { try expectFits(.setMode(mode), store) }
        try expectFits(.setChargeLimit(percent: 80), store)
        try expectFits(.setReserve(percent: 0), store)
        try expectFits(.setIslanding(true), store)
        try expectFits(.charge(powerW: 2500, untilPercent: 90), store)
        try expectFits(.discharge(powerW: 0.5), store)
        try expectFits(.stop, store)
    }

    @Test func aValueOutOfItsRangeIsRefusedWhenTheCommandIsMade() {
        typealias Sweeping = CommandRequest<SweepingRobot>
        typealias Storing = CommandRequest<EnergyStore>
        let attempts: [(String, () throws -> Void)] = [
            ("rooms", { _ = try Sweeping.startCleaning(rooms: []) }),
            ("rooms", { _ = try Sweeping.startCleaning(rooms: [1, 1]) }),
            ("passes", { _ = try Sweeping.startCleaning(rooms: [1], passes: 0) }),
            ("passes", { _ = try Sweeping.startCleaning(passes: 4) }),
            ("x", { _ = try Sweeping.cleanSpot(x: .nan, y: 0) }),
            ("y", { _ = try Sweeping.moveTo(x: 0, y: .infinity) }),
            ("percent", { _ = try Storing.setChargeLimit(percent: 49) }),
            ("percent", { _ = try Storing.setReserve(percent: 101) }),
            ("powerW", { _ = try Storing.charge(powerW: 0) }),
            ("untilPercent", { _ = try Storing.discharge(powerW: 1, untilPercent: -1) }),
        ]
        for (path, attempt) in attempts {
            let error = #expect(throws: ArgumentViolation.self) { try attempt() }
            #expect(error?.path == path)
        }
    }

    @Test func thirdPartyNamesHaveTheSpecificationOfTheirKind() {
        #expect(CommandSpecification.standard(.locate, of: .sweepingRobot)?.sort == .instant)
        #expect(CommandSpecification.standard(.surface, of: .poolRobot)?.lane == .urgent)
        let charge = CommandSpecification.standard(.charge, of: .energyStore)?.arguments
        #expect(charge?.properties["powerW"]?.maximum == nil)
        #expect(CommandSpecification.standard(.locate, of: .energyStore) == nil)
        let toaster = DeviceKind(rawValue: "toaster")
        #expect(CommandSpecification.standard(.identify, of: toaster)?.sort == .instant)
        #expect(CommandSpecification.standard(.stop, of: toaster) == nil)
    }

    @Test func whatDoesNotFitIsRefusedWithItsName() throws {
        let store = try make("store-e5", as: EnergyStore.self)
        let rows: [(CommandName, JSONObject, String)] = [
            (.charge, ["powerW": 2501], "powerW"), (.charge, [:], "powerW"),
            (.charge, ["powerW": 1, "untilPercent": 50.5], "untilPercent"),
            (.setChargeLimit, ["percent": 49], "percent"),
            (.setMode, ["mode": "fast"], "mode"), (.setIslanding, ["enabled": 1], "enabled"),
            (.stop, ["now": true], "now"),
        ]
        for (name, arguments, path) in rows {
            guard case .badArguments(name, let violation) = refusal(store, name, arguments) else {
                Issue.record("\(name.rawValue) took \(arguments)")
                continue
            }
            #expect(violation.path == path)
        }
    }

    @Test func aTimeThatIsNoneIsRefusedThoughTheSchemaTakesIt() throws {
        let robot = try make("pool-p1", as: PoolRobot.self)
        for at in ["7:30", "25:30"] {
            let entry: JSONValue = ["weekday": 3, "at": .string(at), "program": "walls"]
            let refusal = refusal(robot, .setSchedule, ["entries": [entry]])
            guard case .badArguments(.setSchedule, let violation) = refusal else {
                Issue.record("\(at) was taken")
                continue
            }
            #expect(violation.path == "entries[0].at")
        }
    }

    @Test func anUnknownCommandIsRefusedWithTheKnownOnes() throws {
        let store = try make("store-e5", as: EnergyStore.self)
        guard case .unknownCommand(.locate, let known) = refusal(store, .locate, [:]) else {
            Issue.record("an energy store was located")
            return
        }
        #expect(known.contains(.setIslanding))
    }

    @Test func aRobotDeclaresTheRoomsOfItsFloor() throws {
        let outline = FloorOutline(roomIDs: [1, 2], x: 0...5, y: 0...4)
        let commands = SweepingRobot.commands(on: outline)
        func check(_ name: CommandName, _ arguments: JSONObject) throws {
            let specification = try #require(commands.first { $0.name == name })
            try specification.arguments?.check(arguments)
        }
        try check(.startCleaning, ["rooms": [1, 2]])
        #expect(throws: ArgumentViolation.self) { try check(.startCleaning, ["rooms": [3]]) }
        try check(.moveTo, ["x": 5, "y": 4])
        #expect(throws: ArgumentViolation.self) { try check(.moveTo, ["x": 5.1, "y": 4]) }
    }

    private func refusal(
        _ device: some Controllable, _ name: CommandName, _ arguments: JSONObject
    ) -> CommandRefusal? {
        do {
            _ = try device.request(name, arguments: arguments)
            return nil
        } catch {
            return error
        }
    }
}
