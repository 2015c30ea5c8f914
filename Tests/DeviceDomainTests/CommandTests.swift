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
        try expectFits(robot.startCleaning(), robot)
        try expectFits(robot.startCleaning(rooms: RoomSelection([3, 5]), passes: 3), robot)
        let spot = try #require(FloorPosition(x: 1.5, y: -2))
        try expectFits(robot.cleanSpot(spot), robot)
        try expectFits(robot.moveTo(spot), robot)
        try expectFits(robot.returnToDock(), robot)
        try expectFits(robot.locate(), robot)
        for level in SweepingRobot.SuctionLevel.allCases {
            try expectFits(robot.setSuctionLevel(level), robot)
        }
    }

    @Test func aPoolRobotsCommandsFitItsSchemas() throws {
        let robot = try make("pool-p1", as: PoolRobot.self)
        for program in PoolRobot.Program.allCases {
            try expectFits(robot.startProgram(program), robot)
        }
        for level in PoolRobot.PowerLevel.allCases {
            try expectFits(robot.setPowerLevel(level), robot)
        }
        try expectFits(robot.surface(), robot)
        let entry = try #require(
            WeeklySchedule.Entry(weekday: 7, minuteOfDay: 1439, program: .walls))
        try expectFits(robot.setSchedule(try #require(WeeklySchedule([entry]))), robot)
    }

    @Test func anEnergyStoresCommandsFitItsSchemas() throws {
        let store = try make("store-e5", as: EnergyStore.self)
        for mode in EnergyStore.Mode.allCases { try expectFits(store.setMode(mode), store) }
        try expectFits(store.setChargeLimit(try #require(Percentage(80.4))), store)
        try expectFits(store.setReserve(try #require(Percentage(0))), store)
        try expectFits(store.setIslanding(true), store)
        let power = try #require(Power(watts: 2500))
        try expectFits(store.charge(at: power, until: Percentage(90)), store)
        try expectFits(store.discharge(at: power), store)
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
