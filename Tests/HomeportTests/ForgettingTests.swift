import Homeport
import HomeportTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ForgettingTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
    }

    @Test func aForgottenDeviceIsInNeitherLedgerNorModel() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let id = try #require(try await home.devices().first?.id)
            try await home.rememberDevices()
            try await home.forget(id)
            #expect(home.latest(id) == nil)
            #expect(try await home.rememberedDevices().isEmpty)
        }
    }

    @Test func aForgottenDeviceThatIsHeardAgainComesBack() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let id = try #require(try await home.devices().first?.id)
            try await home.forget(id)
            try house.announce("sweeper-s1", as: "sweeper-1", name: "Kitchen")
            #expect(home.latest(id)?.profile?.name == "Kitchen")
        }
    }

    @Test func aDeviceThatNobodyKnowsCannotBeForgotten() async throws {
        try await house.withHome { home in
            let error = await #expect(throws: HomeError.self) {
                try await home.forget(try DeviceID("nobody"))
            }
            #expect(error?.code == .unknownDevice)
        }
    }

    @Test func devicesOfEarlierRunsAreRecalledWithoutALink() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        try await house.withHome(ledger: ledger) { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            _ = try await home.devices()
            try await home.rememberDevices()
        }
        let away = ScriptedChannel(id: try ChannelID("test"), connected: false)
        try await ScriptedHouse(away).withHome(ledger: ledger) { home in
            try await home.recallDevices()
            #expect(home.model.allDevices.map(\.id.text) == ["sweeper-1"])
            try await home.forget(try DeviceID("sweeper-1"))
            try await home.recallDevices()
            #expect(home.model.allDevices.isEmpty)
        }
    }
}
