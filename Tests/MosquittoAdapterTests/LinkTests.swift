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

    @Test func aPortWhereNobodyListensIsUnreachable() async throws {
        let error = try await openingError("mqtt://127.0.0.1:\(freePort())")
        #expect(error?.code == .unreachable)
    }

    @Test func aBrokerThatDoesNotAnswerIsGivenUpInTime() async throws {
        let listener = try LoopbackListener()
        defer { listener.close() }
        let error = try await openingError("mqtt://127.0.0.1:\(listener.port)") {
            $0.connectTimeout = .milliseconds(200)
        }
        #expect(error?.code == .timedOut)
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func refusedCredentialsAreToldApart(version: MQTTProtocolVersion) async throws {
        try await withBroker("allow_anonymous false") { broker in
            let credentials = try MQTTCredentials(username: "ann", password: "wrong")
            let error = try await openingError(broker.url) {
                ($0.version, $0.credentials) = (version, credentials)
            }
            #expect(error?.code == .credentialsRefused)
            #expect(error?.isRetriable == false)
        }
    }

    @Test func afterTheBrokersReturnEverythingIsSubscribedAgain() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                try await service.connect(to: generic("a"))
                var states = channel.linkStates().makeAsyncIterator()
                #expect(await states.next()?.isConnected == true)
                await broker.kill()
                while let state = await states.next(), state.isConnected {}
                try await broker.start()
                while let state = await states.next(), !state.isConnected {}
                let id = makeCommandID()
                try await MQTTPeer.with(broker.url, id: "device") {
                    try await $0.acknowledge(id, of: "a", on: "a")
                }
                #expect(await service.messages.ack()?.id == id)
            }
        }
    }

    @Test func withoutALinkNothingIsHandedOver() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                var states = channel.linkStates().makeAsyncIterator()
                await broker.stop()
                while let state = await states.next(), state.isConnected {}
                let service = channel.service(for: device("a"), in: home)
                let hello = OutgoingMessage.hello(HelloMessage(nonce: "n", spread: .zero))
                let error = await #expect(throws: CommunicationError.self) {
                    try await service.sendMessage(hello)
                }
                #expect(error?.code == .notConnected)
                #expect(error?.provesNothingLeft == true)
            }
        }
    }

    @Test func anObserverWaitsForABrokerThatIsAway() async throws {
        let url = "mqtt://127.0.0.1:\(try freePort())"
        try await withChannel(url, opening: false) { channel in
            var losses = 0
            for await observation in channel.observe(home, devices: []) {
                if case .link(.lost(let error, retryIn: _?)) = observation {
                    #expect(error.code == .unreachable)
                    losses += 1
                }
                if losses == 3 { break }
            }
            #expect(losses == 3)
        }
    }

    @Test func anObserverSeesTheLinkAndTheDevicesItAskedFor() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "devices") { peer in
                for id in ["a", "b", "c"] { try await peer.announce(id) }
                try await withChannel(broker.url, opening: false) { channel in
                    var seen: [DeviceID: [String]] = [:]
                    var wasConnected = false
                    let stream = channel.observe(home, devices: [device("a"), device("c")])
                    for await observation in stream {
                        switch observation {
                        case .link(let state): wasConnected = wasConnected || state.isConnected
                        case .message(let message):
                            seen[message.device, default: []].append(message.name)
                        }
                        if wasConnected, seen.values.map(\.count) == [3, 3] { break }
                    }
                    #expect(seen.keys.sorted() == [device("a"), device("c")])
                    #expect(seen[device("a")] == ["description", "presence", "state"])
                }
            }
        }
    }

    @Test func credentialsThatAreRefusedEndAnObservation() async throws {
        try await withBroker("allow_anonymous false") { broker in
            try await withChannel(broker.url, opening: false) { channel in
                var last: CommunicationError?
                for await observation in channel.observe(home, devices: []) {
                    if case .link(.lost(let error, retryIn: nil)) = observation { last = error }
                }
                #expect(last?.code == .credentialsRefused)
            }
        }
    }

    @Test func closingEndsEveryStream() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                try await service.connect(to: generic("a"))
                let observations = channel.observe(home, devices: [])
                let states = channel.linkStates()
                await channel.close()
                for await _ in observations {}
                for await _ in states {}
                #expect(await service.messages.ack() == nil)
                await #expect(throws: CommunicationError.self) { try await channel.open() }
            }
        }
    }
}
