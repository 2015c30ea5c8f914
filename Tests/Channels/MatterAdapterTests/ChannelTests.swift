import Basics
import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

@testable import MatterAdapter

@Suite(.serialized, .timeLimit(.minutes(1))) struct ChannelTests {
    private let lamp = device("house-7")

    /// What an observer of the whole home hears, in order.
    private struct Hearing {
        let heard: AsyncStream<DeviceObservation>
        private let observation: ChannelObservation

        init(_ channel: MatterChannel) {
            let (stream, source) = AsyncStream.makeStream(of: DeviceObservation.self)
            heard = stream
            observation = channel.observe(home, .everyDevice) { source.yield($0) }
        }

        /// Waits for a matching observation of a device.
        func first(
            _ device: DeviceID, _ isMeant: (DeviceObservation.Content) -> Bool
        ) async -> DeviceObservation.Content? {
            for await observation in heard
            where observation.device == device && isMeant(observation.content) {
                return observation.content
            }
            return nil
        }

        func state(_ device: DeviceID, _ name: String, _ value: JSONValue) async -> Bool {
            await first(device) {
                if case .state(let report) = $0 { report.members[name] == value } else { false }
            } != nil
        }

        func evidence(_ device: DeviceID) async -> CommandEvidence? {
            for await observation in heard where observation.device == device {
                if case .evidence(let evidence) = observation.content { return evidence }
            }
            return nil
        }
    }

    private func withChannel<Value>(
        _ server: FakeMatterServer, clock: LoopClock = .system,
        _ body: (MatterChannel) async throws -> Value
    ) async throws -> Value {
        let loop = try MQTTEventLoop(label: "matter-test", clock: clock)
        let channel = MatterChannel(
            MatterChannelConfiguration(
                id: channelID, home: home, server: try MatterServerAddress(server.url)), on: loop)
        do {
            let value = try await body(channel)
            await channel.close()
            server.stop()
            await loop.shutdown()
            return value
        } catch {
            await channel.close()
            server.stop()
            await loop.shutdown()
            throw error
        }
    }

    private func lampServer(
        script: @escaping FakeMatterServer.Script = { [FakeMatterServer.result("null", of: $0)] }
    ) throws -> FakeMatterServer {
        try FakeMatterServer(nodes: [FakeMatterServer.node("7", Sample.light)], script: script)
    }

    /// Sends a command of the lamp.
    private func send(_ channel: MatterChannel, _ name: String) async throws -> DeliveryReceipt {
        let service = channel.service(for: lamp, in: home)
        try await service.connect(to: GenericDevice(profile: .undescribed(lamp, in: home)))
        let prepared = try service.prepare(try intent(name, for: lamp), sequence: 1)
        let receipt = try await service.sendMessage(prepared, attempt: 1)
        await service.disconnect()
        return receipt
    }

    private func openingError(_ channel: MatterChannel) async -> CommunicationError? {
        do throws(CommunicationError) {
            try await channel.open()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Listing

    @Test func everyNodeIsListedWithoutACommand() async throws {
        let nodes = [
            FakeMatterServer.node("7", Sample.light),
            FakeMatterServer.node("18446744073709551615", available: false, Sample.robot),
            FakeMatterServer.node("9", isBridge: true, Sample.bridge), "null", "{}",
        ]
        let server = try FakeMatterServer(nodes: nodes)
        try await withChannel(server) { channel in
            let hearing = Hearing(channel)
            let answer = try await channel.replay(home, .everyDevice)
            #expect(answer == .complete)
            let ids = await channel.model.devices.keys.map(\.text).sorted()
            #expect(
                ids == [
                    "house-18446744073709551615", "house-7", "house-9", "house-9-3", "house-9-4",
                ]
            )
            let robot = device("house-18446744073709551615")
            #expect(await hearing.first(robot) { $0 == .presence(Presence(.offline)) } != nil)
            #expect(server.requests.isEmpty && server.listings == 1)
        }
    }

    @Test func fiveHundredNodesComeInOneAnswer() async throws {
        let filler = (0..<300).map { #""0/51/\#($0)":"\#(String(repeating: "x", count: 80))""# }
            .joined(separator: ",")
        let nodes = (1...500).map { FakeMatterServer.node("\($0)", Sample.robot + "," + filler) }
        let server = try FakeMatterServer(nodes: nodes)
        try await withChannel(server) { channel in
            try await channel.open()
            #expect(await channel.model.devices.count == 500)
        }
    }

    @Test func reportsBecomeStatesAndPresences() async throws {
        let server = try lampServer()
        try await withChannel(server) { channel in
            let hearing = Hearing(channel)
            try await channel.open()
            server.send("garbage")
            server.send(#"{"event":"unheard_of","data":7}"#)
            server.report("8", "1/6/0", "true")
            server.report("7", "1/6/0", "true")
            #expect(await hearing.state(lamp, "state", "ON"))
            let away = FakeMatterServer.node("7", available: false, Sample.light)
            server.send(#"{"event":"node_updated","data":\#(away)}"#)
            #expect(await hearing.first(lamp) { $0 == .presence(Presence(.offline)) } != nil)
            server.send(#"{"event":"node_removed","data":7}"#)
            #expect(await hearing.first(lamp) { $0 == .removed } != nil)
        }
    }

    // MARK: Connections

    @Test(arguments: [(10, 10, "10"), (99, 12, "12")])
    func anotherSchemaIsRefused(schema: Int, oldest: Int, number: String) async throws {
        let greeting = FakeMatterServer.greeting(schema: schema, oldest: oldest)
        let server = try FakeMatterServer(greeting: greeting, nodes: [])
        try await withChannel(server) { channel in
            let error = await openingError(channel)
            #expect(error?.isRetriable == false)
            let message = error?.message ?? ""
            #expect(
                message.contains("channel house") && message.contains("schema \(number)")
                    || message.contains("no schema below \(number)"))
            #expect(server.listings == 0)
        }
    }

    @Test func aNewerServerThatServesTheSchemaIsUsed() async throws {
        let greeting = FakeMatterServer.greeting(schema: 13, oldest: 11)
        let server = try FakeMatterServer(
            greeting: greeting, nodes: [FakeMatterServer.node("7", Sample.light)])
        try await withChannel(server) { channel in
            try await channel.open()
            #expect(await channel.model.devices.count == 1)
        }
    }

    @Test func aSilentServerIsGivenUpInTime() async throws {
        let server = try FakeMatterServer(greeting: nil, nodes: [])
        let clock = ManualLoopClock()
        try await withChannel(server, clock: .manual(clock)) { channel in
            async let error = openingError(channel)
            await clock.due(after: .seconds(10))
            clock.advance(by: .seconds(10))
            #expect(await error?.code == .unreachable)
        }
    }

    @Test func aLostConnectionIsMadeAgainAndTheDifferenceReported() async throws {
        let server = try lampServer()
        try await withChannel(server) { channel in
            let hearing = Hearing(channel)
            try await channel.open()
            server.setNodes([
                FakeMatterServer.node(
                    "7", Sample.light.replacing(#""1/8/0":100"#, with: #""1/8/0":200"#))
            ])
            server.hangUp()
            #expect(await hearing.first(lamp) { $0 == .cleared(.presence) } != nil)
            #expect(await hearing.first(lamp) { $0 == .presence(Presence(.online)) } != nil)
            #expect(await hearing.state(lamp, "brightness", 200))
            #expect(server.listings == 2)
        }
    }

    // MARK: Commands

    @Test func theReportAfterTheAnswerProvesTheEffect() async throws {
        let server = try lampServer { request in
            [
                FakeMatterServer.result("null", of: request),
                FakeMatterServer.report("7", "1/6/0", "true"),
            ]
        }
        try await withChannel(server) { channel in
            let hearing = Hearing(channel)
            let answer = try await send(channel, "turn-on")
            #expect(answer == .confirmed)
            let evidence = await hearing.evidence(lamp)
            #expect(evidence?.stage == .succeeded && evidence?.provesEffect == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test func theEffectOfALostAnswerIsSeenAfterTheConnectionIsBack() async throws {
        let server = try lampServer { _ in nil }
        try await withChannel(server) { channel in
            let hearing = Hearing(channel)
            try await channel.open()
            server.setNodes([
                FakeMatterServer.node(
                    "7", Sample.light.replacing(#""1/6/0":false"#, with: #""1/6/0":true"#))
            ])
            let error = await #expect(throws: CommunicationError.self) {
                try await send(channel, "turn-on")
            }
            #expect(error?.certainty == .mayHaveLeft)
            #expect(await hearing.evidence(lamp)?.provesEffect == true)
            #expect(server.requests.count == 1, "nothing is sent twice")
        }
    }

    @Test func whatARobotHasSelectedSinceItWasListedCounts() async throws {
        let server = try FakeMatterServer(nodes: [FakeMatterServer.node("7", Sample.robot)])
        try await withChannel(server) { channel in
            let hearing = Hearing(channel)
            try await channel.open()
            let start = try intent("start-cleaning", for: lamp, sort: .action)
            let everywhere = Array(#""newAreas":[]"#.utf8)
            #expect(try channel.payload(of: start).firstRange(of: everywhere) == nil)
            server.report("7", "1/336/2", "[2]")
            #expect(await hearing.state(lamp, "selected_rooms", [2]))
            #expect(try channel.payload(of: start).firstRange(of: everywhere) != nil)
            server.report("7", "1/84/1", "2")
            #expect(await hearing.state(lamp, "run_mode", "cleaning"))
            #expect(
                try channel.payload(of: start).firstRange(of: everywhere) == nil,
                "it refuses another selection while it cleans")
        }
    }

    @Test func aRefusalHasTheServersWords() async throws {
        let server = try lampServer {
            [FakeMatterServer.failure(0, "InteractionModelError: Busy (0x9c)", of: $0)]
        }
        try await withChannel(server) { channel in
            let hearing = Hearing(channel)
            _ = try await send(channel, "turn-on")
            let evidence = await hearing.evidence(lamp)
            #expect(evidence?.stage == .rejected && evidence?.code == .busy)
            #expect(evidence?.message.contains("Busy") == true)
        }
    }

    @Test func nothingIsSentToADeviceThatIsAway() async throws {
        let server = try FakeMatterServer(
            nodes: [FakeMatterServer.node("7", available: false, Sample.light)])
        try await withChannel(server) { channel in
            try await channel.open()
            let error = await #expect(throws: CommunicationError.self) {
                try await send(channel, "turn-on")
            }
            #expect(error?.certainty == .neverLeft)
            #expect(server.requests.isEmpty)
        }
    }
}
