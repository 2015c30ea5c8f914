import Homeport
import HomeportTesting
import Logging
import ServiceLifecycle
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
            try await CommandsSamples.explain(home, receipts[0].id)
            #expect(try await CommandsSamples.many(home).receipts.isEmpty)
        }
    }

    @Test func aCommandIsUndoneAndDoneAgain() async throws {
        channel.onSend { send in
            let percent = send.command.intent.arguments["percent"]?.integer
            let previous: JSONObject = ["previous": percent == 40 ? 10 : 40]
            return [
                .evidence(send.evidence(.accepted)),
                .evidence(send.evidence(.succeeded, n: 2, result: previous)),
            ]
        }
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            let store = try #require(try await home.devices(of: EnergyStore.self).first)
            let records = try await CommandsSamples.takeBack(home, store)
            #expect(records.map(\.intent.arguments) == [["percent": 10], ["percent": 40]])
        }
    }

    @Test func aCommandThatWaitsIsCancelled() async throws {
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            let store = try #require(try await home.devices(of: EnergyStore.self).first)
            channel.deliver(.presence(Presence(.offline)), from: store.id, in: home.id)
            let waiting = try await home.send(.setReserve(percent: 20), to: store)
            #expect(try await home.waitingCommands().map(\.id) == [waiting.id])
            try await CommandsSamples.cancel(home)
            #expect(try await home.waitingCommands().isEmpty)
            #expect(try await waiting.finished().record.state == .cancelled)
        }
    }

    @Test func aSecondServiceWritesTheChangesUntilTheGroupEnds() async throws {
        try house.announce("sweeper-s1", as: "sweeper-1")
        let home = try Home(house.configuration())
        let (lines, source) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(100))
        let log = ChangeLog(home: home) { source.yield($0) }
        let group = ServiceGroup(services: [home, log], logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            #expect(await lines.first { $0.hasPrefix("sweeper-1 is online") } != nil)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test func aChannelOfOnesOwnCarriesAHome() async throws {
        let setup = ChannelsSamples.setup(over: channel)
        let configuration = HomeConfiguration(
            home: house.id, channels: [setup], ledger: .memory, takesOverOpenCommands: false)
        try await withHome(configuration) { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let receipt = try await home.send(.locate, to: try DeviceID("sweeper-1"))
            #expect(try await receipt.finished().record.state == .succeeded)
        }
    }

    @Test func aKindOfOnesOwnTakesItsCommands() async throws {
        var configuration = house.configuration()
        configuration.blueprints = [Sprinkler.blueprint]
        try await withHome(configuration) { home in
            let made = try DeviceFactory([Sprinkler.blueprint]).makeDevice(
                model: Sprinkler.blueprint.model, id: DeviceID("lawn-1"), home: home.id)
            channel.announce(made.profile)
            let sprinkler = try #require(try await home.devices(of: Sprinkler.self).first)
            let water = try await home.send(.water(minutes: 10), to: sprinkler)
            #expect(try await water.finished().record.state == .succeeded)
            let stop = try await home.send(.stop, to: sprinkler)
            #expect(try await stop.finished().record.state == .succeeded)
        }
    }

    @Test func channelsAreConfiguredInCodeAndInAFile() throws {
        let configuration = try ChannelsSamples.configuration(broker: "mqtt://127.0.0.1:1883")
        _ = try Home(configuration)
        let shared = try ChannelsSamples.oneDevice(configuration)
        _ = try Home(shared)
        #expect(shared.rules.flatMap(\.channels).count == 2)
        let file = try ChannelsSamples.file()
        #expect(file.channels.map(\.id) == configuration.channels.map(\.id))
    }

    @Test func theScriptedChannelRuns() async throws {
        try await TestingSamples.scripted()
        try await TestingSamples.reacted()
    }
}
