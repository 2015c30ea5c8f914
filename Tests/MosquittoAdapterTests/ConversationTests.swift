import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

@Suite(.timeLimit(.minutes(1))) struct ConversationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func command(_ id: CommandID, attempt: Int = 1) throws -> OutgoingMessage {
        .command(
            OutgoingCommand(
                id: id, controller: try ControllerID("ctl"), payload: Array("bytes".utf8),
                lane: .urgent,
                expiresAt: Timestamp.wallClock().advanced(by: .milliseconds(1_500)),
                attempt: attempt))
    }

    @Test func aCommandCarriesThePropertiesOfTheProtocol() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { peer in
                try await peer.subscribe("homeport/v1/home-1/a/command/urgent")
                try await withChannel(broker.url) { channel in
                    let service = channel.service(for: device("a"), in: home)
                    try await service.connect(to: generic("a"))
                    let id = makeCommandID()
                    #expect(try await service.sendMessage(command(id, attempt: 3)) == .confirmed)
                    var messages = peer.messages.makeAsyncIterator()
                    let message = try #require(await messages.next())
                    #expect(message.payload == Array("bytes".utf8))
                    #expect(!message.retain)
                    let properties = message.properties
                    #expect(properties.responseTopic?.rawValue == "homeport/v1/home-1/a/ack/ctl")
                    #expect(properties.correlationData == id.bytes)
                    #expect(properties.contentType == "application/json")
                    #expect(properties.isUTF8 == true)
                    #expect((1...2).contains(properties.messageExpirySeconds ?? 0))
                    #expect(properties["attempt"] == "3")
                }
            }
        }
    }

    @Test func theBrokerTellsThatNobodyListens() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                let receipt = try await service.sendMessage(command(makeCommandID()))
                #expect(receipt == .noReceiver)
            }
        }
    }

    @Test func aForbiddenTopicIsRefusedForGood() async throws {
        let access = try folder.file("access", "topic read homeport/v1/#\n")
        try await withBroker("acl_file \(access)") { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                let receipt = try await service.sendMessage(command(makeCommandID()))
                guard case .refused(let code, _) = receipt else {
                    Issue.record("not refused: \(receipt)")
                    return
                }
                #expect(code == .forbidden)
            }
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func acksReachTheConversationOfTheirDeviceAlone(version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device", version: version) { peer in
                try await withChannel(broker.url, { $0.version = version }) { channel in
                    let a = channel.service(for: device("a"), in: home)
                    let b = channel.service(for: device("b"), in: home)
                    try await a.connect(to: generic("a"))
                    try await b.connect(to: generic("b"))
                    let (first, second) = (makeCommandID(), makeCommandID())
                    try await peer.acknowledge(first, of: "a", on: "a")
                    try await peer.acknowledge(second, of: "b", on: "b")
                    #expect(await a.messages.ack()?.id == first)
                    #expect(await b.messages.ack()?.id == second)
                }
            }
        }
    }

    @Test func whatIsRetainedFollowsAlsoWhereItWasHeardBefore() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { peer in
                try await peer.announce("a")
                try await withChannel(broker.url) { channel in
                    _ = try await channel.survey(home, .everyDevice)
                    let service = channel.service(for: device("a"), in: home)
                    for _ in 1...2 {
                        try await service.connect(to: generic("a"))
                        var names: [String] = []
                        for await message in service.messages {
                            names.append(message.name)
                            if names.count == 3 { break }
                        }
                        #expect(names == ["description", "presence", "state"])
                    }
                }
            }
        }
    }

    @Test func whatADeviceSendsWronglyIsDroppedAndCounted() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { peer in
                try await withChannel(broker.url) { channel in
                    let service = channel.service(for: device("a"), in: home)
                    try await service.connect(to: generic("a"))
                    try await peer.acknowledge(makeCommandID(), of: "b", on: "a")
                    try await peer.publish("homeport/v1/home-1/a/ack/ctl", "{\"v\":1")
                    try await peer.publish("homeport/v1/home-1/a/state", [0xFF, 0xFE])
                    try await peer.publish("homeport/v1/home-1/a/presence", "")
                    try await peer.publish("homeport/v1/home-1/a/event/Nonsense", "{}")
                    let id = makeCommandID()
                    try await peer.acknowledge(id, of: "a", on: "a")
                    #expect(await service.messages.ack()?.id == id)
                    let counters = await channel.counters
                    #expect(counters.misaddressedMessages == 1)
                    #expect(counters.malformedPayloads == 2)
                    #expect(counters.emptyMessages == 1)
                    #expect(counters.foreignTopics == 1)
                    #expect(counters.total == 5)
                }
            }
        }
    }

    @Test func aConversationThatWasEndedHearsNothing() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                try await service.connect(to: generic("a"))
                await service.disconnect()
                #expect(await service.messages.ack() == nil)
                #expect(await channel.conversations.isEmpty)
            }
        }
    }
}

extension IncomingMessages {
    /// The next ack, skipping all else; `nil` when the stream has ended.
    func ack() async -> AckMessage? {
        for await message in self {
            if case .ack(let ack) = message.content { return ack }
        }
        return nil
    }
}

extension IncomingMessage {
    /// What kind of message it is.
    var name: String {
        switch content {
        case .description: "description"
        case .presence: "presence"
        case .state: "state"
        case .telemetry: "telemetry"
        case .event: "event"
        case .ack: "ack"
        }
    }
}
