import Homeport
import HomeportTesting
import TestSupport
import Testing

/// Samples of telemetry, which no channel retains.
@Suite(.timeLimit(.minutes(1))) struct TelemetryTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let store: DeviceID

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        store = try DeviceID("store-1")
    }

    @Test func theWaitForASampleEndsWithIt() async throws {
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            _ = try await home.survey()
            #expect(home.latest(store)?.telemetry == nil)
            async let silent = home.waitForTelemetry(of: [store], within: .seconds(500))
            channel.deliver(
                .telemetry(TelemetryReport(["stateOfChargePercent": 54])), from: store, in: house.id
            )
            #expect(await silent.isEmpty)
            #expect(home.latest(store)?.telemetry?.values == ["stateOfChargePercent": 54])
            #expect(await home.waitForTelemetry(of: [store], within: .seconds(500)).isEmpty)
        }
    }

    @Test func theWaitForASampleIsBoundedByTheClockOfTheHome() async throws {
        let clock = ManualClock()
        var configuration = house.configuration()
        configuration.clock = clock
        try await withHome(configuration) { home in
            try house.announce("store-e5", as: "store-1")
            _ = try await home.survey()
            async let silent = home.waitForTelemetry(of: [store], within: .seconds(100))
            clock.advance(by: await clock.sleeper(within: .seconds(500)))
            #expect(await silent == [store])
            #expect(clock.now.elapsed == .seconds(100))
            #expect(await home.waitForTelemetry(of: [], within: .seconds(500)).isEmpty)
        }
    }

    @Test func eventsAndSamplesAreTyped() async throws {
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            _ = try await home.survey()
            let store = try #require(home.latest(store)?.device() as? EnergyStore)
            let events = home.events(of: .device(store.id))
            let samples = home.samples(of: store)
            let other = try DeviceID("store-2")
            channel.event(.gridLost, of: other, in: house.id)
            channel.event(.overTemperature, ["temperatureC": 61], of: store.id, in: house.id)
            let report = TelemetryReport(["gridPowerW": -230], at: Timestamp(milliseconds: 7))
            channel.deliver(.telemetry(report), from: store.id, in: house.id)
            for await event in events.prefix(1) {
                #expect(event.device == store.id)
                #expect(event.channel == channel.id)
                #expect(event.fact == .overTemperature(celsius: 61))
            }
            for await reading in samples.prefix(1) {
                #expect(reading.sample.gridPowerW == -230)
                #expect(reading.sample.voltageV == nil)
                #expect(reading.at == Timestamp(milliseconds: 7))
            }
        }
    }

    @Test func aChannelHasTelemetryUnlessItSaysOtherwise() async throws {
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            _ = try await home.survey()
            #expect(home.reportsTelemetry(try #require(home.latest(store))))
        }
    }

    @Test func theHistoryOfSomeDevicesIsNewestFirst() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            for device in ["sweeper-1", "sweeper-2", "sweeper-3"] {
                try house.announce("sweeper-s1", as: device)
            }
            var ids: [CommandID] = []
            for device in ["sweeper-1", "sweeper-2", "sweeper-3", "sweeper-1", "sweeper-2"] {
                let receipt = try await home.send(.locate, toDeviceCalled: device)
                _ = try await receipt.finished()
                ids.append(receipt.id)
            }
            let devices: Set = [try DeviceID("sweeper-1"), try DeviceID("sweeper-2")]
            let all = try await home.history(devices: devices)
            #expect(all.map(\.id) == [ids[4], ids[3], ids[1], ids[0]])
            #expect(
                try await home.history(devices: devices, limit: 2).map(\.id) == [ids[4], ids[3]])
            #expect(try await home.history(devices: []).isEmpty)
            try await home.rememberDevices()
            #expect(
                try await home.rememberedDevices().map(\.id.text)
                    == ["sweeper-1", "sweeper-2", "sweeper-3"])
        }
    }
}
