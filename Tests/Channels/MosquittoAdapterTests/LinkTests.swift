import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

@Suite(.timeLimit(.minutes(1))) struct LinkTests {
    private func openingError(
        _ url: String, _ adjust: (inout MosquittoChannelConfiguration) -> Void = { _ in }
    ) async throws -> CommunicationError? {
        do {
            try await withChannel(url, adjust) { _ in }
            return nil
        } catch let error as CommunicationError {
            return error
        }
    }

    // MARK: Opening

    @Test func aPortWhereNobodyListensIsUnreachable() async throws {
        let error = try await openingError("mqtt://127.0.0.1:\(freePort())") {
            $0.connectTimeout = .milliseconds(20)
        }
        #expect(error?.code == .unreachable)
        #expect(error?.certainty == .neverLeft)
    }

    @Test func aBrokerThatDoesNotAnswerIsGivenUpInTime() async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withChannel(broker.url, opening: false, clock: .manual(clock)) { channel in
                async let error = #expect(throws: CommunicationError.self) {
                    try await channel.open()
                }
                await broker.signalled()
                clock.advance(by: .seconds(10))
                #expect(await error?.code == .timedOut)
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func refusedCredentialsAreToldApart(version: MQTTProtocolVersion) async throws {
        try await withBroker("allow_anonymous false") { broker in
            let credentials = try MQTTCredentials(username: "ann", password: "wrong")
            let error = try await openingError(broker.url) {
                ($0.version, $0.credentials) = (version, credentials)
            }
            #expect(error?.code == .credentialsRefused)
            #expect(error?.isCuredByCredentials == true)
            #expect(error?.isRetriable == false)
        }
    }

    @Test(arguments: [(UInt8(0x86), true), (0x87, true), (0x8A, false), (0x8C, false)])
    func onlyRefusedCredentialsAreCuredByOthers(code: UInt8, isCured: Bool) async throws {
        try await withFakeBroker { broker in
            let error = try await openingError(broker.url)
            #expect(error?.code == .credentialsRefused)
            #expect(error?.isCuredByCredentials == isCured)
        } broker: { broker in
            try broker.serve { peer in
                _ = try peer.readConnect()
                try peer.send(.connack(peer.version, code: code))
            }
        }
    }

    @Test func anObserverWaitsForABrokerThatIsAway() async throws {
        let url = "mqtt://127.0.0.1:\(try freePort())"
        try await withChannel(url, opening: false) { channel in
            let (_, observation) = channel.startRecording()
            var losses = 0
            for await state in channel.linkStates() where state.name == "lost: unreachable" {
                losses += 1
                if losses == 3 { break }
            }
            #expect(losses == 3)
            observation.cancel()
        }
    }

    @Test func refusedCredentialsEndTheAttempts() async throws {
        try await withBroker("allow_anonymous false") { broker in
            try await withChannel(broker.url, opening: false) { channel in
                _ = channel.startRecording()
                await channel.reached("lost for good: credentials-refused")
            }
        }
    }

    // MARK: Losses

    @Test func afterTheBrokersReturnEverythingIsHeardAgain() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                try await service.connect(to: generic("a"))
                let (recorder, _) = channel.startRecording(.device(device("b")))
                _ = try await channel.replay(home, .device(device("b")))
                var states = channel.linkStates().makeAsyncIterator()
                #expect(await states.next()?.isConnected == true)
                await broker.kill()
                while let state = await states.next(), state.isConnected {}
                try await broker.start()
                while let state = await states.next(), !state.isConnected {}
                let id = makeCommandID()
                try await MQTTPeer.with(broker.url, id: "devices") {
                    try await $0.announce("b")
                    try await $0.acknowledge(id, of: "a", on: "a")
                }
                #expect(await service.messages.evidence()?.id == id)
                await recorder.next("state 1", of: "b")
            }
        }
    }

    @Test func filtersThatWereNotAnsweredAreAskedForOnTheNextConnection() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                let error = await #expect(throws: CommunicationError.self) {
                    try await service.connect(to: generic("a"))
                }
                #expect(error?.isRetriable == true)
                broker.proceed()
                await channel.reached("connected")
                try await service.connect(to: generic("a"))
                broker.proceed()
                #expect(await service.messages.next()?.content.name == "presence")
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            _ = try first.read(.subscribe)
            first.cut()
            try broker.awaitProceed()
            let peer = try broker.acceptConnected()
            // States and acks have a quality of service each, and so a packet each.
            let filters = try peer.acceptSubscribe() + peer.acceptSubscribe()
            #expect(filters.count == 3)
            try broker.awaitProceed()
            try peer.say("a", "presence", Array(announcement("a")[1].payload.utf8))
            _ = peer.readToEnd()
        }
    }

    @Test func aRefusedFilterLimitsTheLinkAndLeavesTheRest() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url, opening: false) { channel in
                let (recorder, observation) = channel.startRecording()
                for await state in channel.linkStates() {
                    guard case .limited(let error) = state else { continue }
                    #expect(state.isConnected)
                    #expect(error.code == .notPermitted)
                    #expect(error.message.contains("homeport/v1/home-1/+/telemetry"))
                    #expect(error.message.contains("allow it in the broker's access control"))
                    break
                }
                let error = await #expect(throws: CommunicationError.self) {
                    try await channel.replay(home, .everyDevice)
                }
                #expect(error?.code == .notPermitted)
                broker.proceed()
                await recorder.next("presence", of: "a")
                observation.cancel()
                await channel.reached("connected")
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.acceptSubscribes(2, butNot: "/telemetry")
            try broker.awaitProceed()
            try peer.say("a", "presence", Array(announcement("a")[1].payload.utf8))
            _ = peer.readToEnd()
        }
    }

    // MARK: Closing

    @Test func closingEndsEveryStream() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                try await service.connect(to: generic("a"))
                _ = channel.startRecording()
                let states = channel.linkStates()
                await channel.close()
                for await _ in states {}
                #expect(await service.messages.next() == nil)
                #expect(await channel.observers.isEmpty)
                let error = await #expect(throws: CommunicationError.self) {
                    try await channel.open()
                }
                #expect(error?.code == .closed)
            }
        }
    }

    // MARK: Two channels

    @Test func twoBrokersAreTwoChannels() async throws {
        let second = try ChannelID("garage")
        try await withBroker { house in
            try await withBroker { garage in
                try await MQTTPeer.with(house.url, id: "devices") { try await $0.announce("a") }
                try await MQTTPeer.with(garage.url, id: "devices") {
                    try await $0.announce("a", revision: 2)
                }
                try await withChannel(house.url) { one in
                    try await withChannel(garage.url, id: second) { other in
                        #expect([one.id, other.id] == [channelID, second])
                        let (here, there) = (try await one.survey(), try await other.survey())
                        #expect(here.recorder.names(of: "a").contains("state 1"))
                        #expect(there.recorder.names(of: "a").contains("state 2"))
                        #expect(here.recorder.all.allSatisfy { $0.channel == channelID })
                        #expect(there.recorder.all.allSatisfy { $0.channel == second })
                        let service = other.service(for: device("a"), in: home)
                        let command = try service.prepare(intent(), sequence: 1)
                        #expect(command.channel == second)
                    }
                }
            }
        }
    }
}
