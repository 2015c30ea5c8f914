import Homeport
import HomeportTesting
import Testing

/// The code of the articles does what they say of it.
@Suite(.timeLimit(.minutes(1))) struct SamplesTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
    }

    @Test func theFirstCommandSucceeds() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let result = try await GettingStartedSamples.firstCommand(home)
            #expect("\(try #require(result))" == "set-suction-level: succeeded")
        }
    }

    @Test func devicesAreFoundAndRead() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            #expect(try await DevicesSamples.one(home) == DeviceID("sweeper-1"))
            #expect(try await DevicesSamples.levels(home) == [])
            let report = TelemetryReport(["batteryPercent": 76])
            channel.deliver(.telemetry(report), from: try DeviceID("sweeper-1"), in: home.id)
            #expect(try await DevicesSamples.levels(home) == ["sweeper-1: battery 76 %"])
            #expect(try await DevicesSamples.low(home) == [])
        }
    }

    @Test func commandsAreFollowed() async throws {
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            try house.announce("sweeper-s1", as: "sweeper-1")
            let store = try #require(try await home.devices(of: EnergyStore.self).first)
            let robot = try #require(try await home.devices(of: SweepingRobot.self).first)
            let receipts = try await CommandsSamples.send(home, to: store)
            for receipt in receipts {
                #expect(try await CommandsSamples.end(receipt) == "done")
            }
            await #expect(throws: ArgumentViolation.self) {
                try await CommandsSamples.noRooms(home, robot)
            }
            try await CommandsSamples.afterwards(home, store)
        }
    }

    @Test func channelsAreConfiguredInCodeAndInAFile() throws {
        let configuration = try ChannelsSamples.configuration(broker: "mqtt://127.0.0.1:1883")
        _ = try Home(configuration)
        let file = try ChannelsSamples.file()
        #expect(file.channels.map(\.id) == configuration.channels.map(\.id))
    }

    @Test func theScriptedChannelRuns() async throws {
        try await TestingSamples.scripted()
    }
}
