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

    private func leave(_ device: DeviceID) {
        channel.deliver(.presence(Presence(.offline)), from: device, in: house.id)
    }

    @Test func aForgottenDeviceIsInNeitherLedgerNorModelNorChannel() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let id = try #require(try await home.devices().first?.id)
            try await home.rememberDevices()
            leave(id)
            channel.keep(DesiredSettings(revision: 1, members: [:]), for: id, in: home.id)
            let forgotten = try await home.forget(id)
            #expect(forgotten.id == id && forgotten.comesBack == nil)
            #expect(home.latest(id) == nil)
            #expect(try await home.rememberedDevices().isEmpty)
            #expect(channel.settings(keptFor: id, in: home.id) == nil)
            #expect(await kept(in: home.id).isEmpty)
        }
    }

    /// The devices that a new observer hears of.
    private func kept(in home: HomeID) async -> [DeviceID] {
        let (heard, source) = AsyncStream<DeviceID>.makeStream()
        let observation = channel.observe(home, .everyDevice) { source.yield($0.device) }
        observation.cancel()
        source.finish()
        return await heard.reduce(into: []) { $0.append($1) }
    }

    @Test func aForgottenDeviceThatIsSwitchedOnComesBack() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let id = try #require(try await home.devices().first?.id)
            leave(id)
            try await home.forget(id)
            try house.announce("sweeper-s1", as: "sweeper-1", name: "Kitchen")
            #expect(home.latest(id)?.profile?.name == "Kitchen")
        }
    }

    @Test func whatWaitsForAForgottenDeviceIsTakenBackAndNeverSent() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let id = try #require(try await home.devices().first?.id)
            leave(id)
            let receipt = try await home.send(.startCleaning, to: id)
            #expect(receipt.record.state == .queued)
            #expect(try await home.forget(id).takenBack == [receipt.id])
            try house.announce("sweeper-s1", as: "sweeper-1")
            let record = try await receipt.finished().record
            #expect(record.state == .cancelled && record.progress.sends == 0)
        }
    }

    @Test func aDeviceThatIsOnlineIsRefused() async throws {
        try house.announce("sweeper-s1", as: "sweeper-1")
        try await house.withHome { home in
            // Nothing was heard yet: the home asks first.
            let id = try DeviceID("sweeper-1")
            let error = await #expect(throws: HomeError.self) { try await home.forget(id) }
            #expect(error?.code == .deviceOnline)
            #expect(error?.message.contains("switch it off") == true)
            #expect(home.latest(id)?.profile != nil)
            try await home.forget(id, evenIfOnline: true)
            #expect(home.latest(id) == nil)
        }
    }

    @Test func whatTheChannelKeepsAllTheSameIsSaid() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let id = try #require(try await home.devices().first?.id)
            leave(id)
            channel.refuseClearing(CommunicationError(.notPermitted, "not with this user"))
            #expect(try await home.forget(id).comesBack == "not with this user")
            #expect(home.latest(id) == nil)
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
            try await home.observation.recallDevices()
            #expect(home.model.allDevices.map(\.id.text) == ["sweeper-1"])
            let id = try DeviceID("sweeper-1")
            await #expect(throws: HomeError.self, "it may be online") { try await home.forget(id) }
            #expect(try await home.rememberedDevices().map(\.id) == [id])
            let forgotten = try await home.forget(id, evenIfOnline: true)
            #expect(forgotten.comesBack != nil, "the channel has no link")
            try await home.observation.recallDevices()
            #expect(home.model.allDevices.isEmpty)
        }
    }
}
