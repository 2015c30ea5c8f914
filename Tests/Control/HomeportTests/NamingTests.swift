import Homeport
import HomeportTesting
import TestSupport
import Testing

/// Names and rooms that a user gives, as a program sees them.
@Suite(.timeLimit(.minutes(1))) struct NamingTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let robot = DeviceID.literal("robot-1")

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        try house.announce("sweeper-s1", as: "robot-1", name: "Robot 1")
        try house.announce("sweeper-s1", as: "robot-2", name: "Robot 2")
        try house.announce("store-e10", as: "store-1", name: "Store")
    }

    @Test func aNameStandsForTheDeviceEverywhere() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            _ = try await home.survey()
            try await home.naming.name(robot, GivenName("Kitchen robot"))
            #expect(try await home.find("KITCHEN robot").id == robot)
            #expect(try await home.device("robot 1").id == robot)
            #expect(try await home.devices().map(\.name) == ["Kitchen robot", "Robot 2", "Store"])
            #expect(home.latest(robot)?.profile?.name == "Robot 1")
            let receipt = try await home.send(.locate, [:], toDeviceCalled: "kitchen robot")
            #expect(receipt.record.intent.device == robot)
            try await home.naming.name(robot, nil)
            #expect(try await home.find("robot-1").name == "Robot 1")
            let error = await #expect(throws: HomeError.self) {
                try await home.find("Kitchen robot")
            }
            #expect(error?.code == .unknownDevice)
        }
    }

    @Test(arguments: ["robot-2", "ROBOT-2", "robot 2", " Robot 2"])
    func anotherDevicesIDOrNameIsRefused(text: String) async throws {
        try await house.withHome { home in
            _ = try await home.survey()
            let error = await #expect(throws: HomeError.self) {
                try await home.naming.name(robot, GivenName(text))
            }
            #expect(error?.code == .nameTaken)
            #expect(error?.message.contains("another device") == text.lowercased().contains("-"))
            #expect(try await home.find("robot-1").name == "Robot 1")
        }
    }

    @Test func aNameThatTheUserHasGivenToAnotherDeviceIsRefused() async throws {
        try await house.withHome { home in
            try await home.naming.name(robot, GivenName("Robbie"))
            let error = await #expect(throws: HomeError.self) {
                try await home.naming.name(.literal("robot-2"), GivenName("robbie"))
            }
            #expect(error?.code == .nameTaken)
            #expect(error?.message.contains("robot-1") == true)
        }
    }

    @Test func aRoomSelectsItsDevices() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            try await home.naming.addRoom(GivenName("Kitchen"))
            try await home.naming.addRoom(GivenName("Hall"))
            _ = try await home.survey()
            try await home.naming.move(robot, toRoom: "kitchen")
            let inKitchen = try filter("KITCHEN")
            #expect(try await home.devices(matching: inKitchen).map(\.id) == [robot])
            let group = try await home.send(.locate, to: inKitchen)
            #expect(group.receipts.map(\.record.intent.device) == [robot])
            for (room, code) in [("Hall", HomeError.Code.unknownDevice), ("Cellar", .unknownRoom)] {
                let error = await #expect(throws: HomeError.self) {
                    try await home.send(.locate, to: filter(room))
                }
                #expect(error?.code == code, "\(room)")
            }
            #expect(try await home.naming.removeRoom("KITCHEN") == [robot])
            #expect(home.latest(robot)?.label.room == nil)
        }
    }

    private func filter(_ room: String) throws -> DeviceFilter {
        var filter = DeviceFilter()
        filter.room = try GivenName(room)
        return filter
    }

    @Test func readersAreToldOfANewName() async throws {
        try await house.withHome { home in
            _ = try await home.survey()
            try await home.naming.name(robot, GivenName("Robbie"))
            try await home.naming.name(robot, nil)
            var names: [String?] = []
            let changes = home.changes(of: .device(robot))
            try await home.naming.name(robot, GivenName("Rob"))
            for await change in changes {
                guard case .device(let change) = change, case .label(let label) = change.content
                else { continue }
                names.append(label.name?.text)
                break
            }
            #expect(names == ["Rob"])
        }
    }

    @Test func whatAnotherProcessHasSaidIsSeen() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        try await house.withHome(ledger: ledger) { home in
            _ = try await home.survey()
            let elsewhere = try ScriptedHouse(ScriptedChannel(id: channel.id))
            try await elsewhere.withHome(ledger: ledger) { other in
                try await other.naming.addRoom(GivenName("Kitchen"))
                try await other.naming.name(robot, GivenName("Robbie"))
                try await other.naming.move(robot, toRoom: "Kitchen")
            }
            let found = try await home.survey().devices.first
            #expect(found?.name == "Robbie" && found?.label.room?.text == "Kitchen")
        }
    }

    @Test func aNamedDeviceIsKnownWithoutAConnectionAndQueuedFor() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        try await house.withHome(ledger: ledger) { home in
            _ = try await home.survey()
            try await home.rememberDevices()
            try await home.naming.name(robot, GivenName("robbie"))
        }
        let dead = ScriptedChannel(id: channel.id, connected: false)
        try await ScriptedHouse(dead).withHome(ledger: ledger) { home in
            #expect(try await home.rememberedID(ofDeviceCalled: "ROBBIE") == robot)
            #expect(try await home.observation.findByLedger("Robbie").name == "robbie")
            for name in ["robbie", "Robbie"] {
                let receipt = try await home.send(
                    .setSuctionLevel, ["level": "max"], toDeviceCalled: name)
                #expect(receipt.record.state == .queued)
                #expect(receipt.record.intent.device == robot)
            }
        }
    }

    @Test func aForgottenDeviceLosesItsName() async throws {
        try await house.withHome { home in
            _ = try await home.survey()
            try await home.naming.name(robot, GivenName("Robbie"))
            try await home.forget(robot, evenIfOnline: true)
            #expect(try await home.naming.labels() == HomeLabels())
        }
    }
}
