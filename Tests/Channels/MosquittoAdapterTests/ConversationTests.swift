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

    // MARK: Sending

    @Test func aCommandCarriesThePropertiesOfTheProtocol() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { peer in
                try await peer.subscribe("homeport/v1/home-1/a/command/urgent")
                try await withChannel(broker.url) { channel in
                    let service = channel.service(for: device("a"), in: home)
                    let intent = try intent()
                    let command = try service.prepare(intent, sequence: 7)
                    #expect(try await service.sendMessage(command, attempt: 3) == .confirmed)
                    var messages = peer.messages.makeAsyncIterator()
                    let message = try #require(await messages.next())
                    #expect(message.payload == command.payload)
                    #expect(!message.retain)
                    let properties = message.properties
                    #expect(properties.responseTopic?.rawValue == "homeport/v1/home-1/a/ack/ctl")
                    #expect(properties.correlationData == intent.id.bytes)
                    #expect(properties.contentType == "application/json")
                    #expect(properties.isUTF8 == true)
                    #expect(properties.messageExpirySeconds == 2)
                    #expect(properties["attempt"] == "3")
                }
            }
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func aBrokerThatTakesSmallPacketsIsNamedAsTheCause(_ version: MQTTProtocolVersion) async throws
    {
        try await withBroker("max_packet_size 1024") { broker in
            try await withChannel(broker.url) {
                $0.version = version
            } _: { channel in
                let service = channel.service(for: device("a"), in: home)
                let long = JSONValue.string(String(repeating: "x", count: 1_500))
                let command = try service.prepare(intent(arguments: ["text": long]), sequence: 7)
                let error = await #expect(throws: CommunicationError.self) {
                    try await service.sendMessage(command, attempt: 1)
                }
                #expect(error?.message.contains("(mosquitto: max_packet_size)") == true)
                #expect(error?.certainty == (version == .v5 ? .neverLeft : .mayHaveLeft))
            }
        }
    }

    @Test func theBytesOfACommandSayTheIntent() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let service = channel.service(for: device("a"), in: home)
            let intent = try intent(arguments: ["level": "max"])
            let command = try service.prepare(intent, sequence: 7)
            #expect(command.channel == channelID)
            #expect(command.sequence == 7)
            let message = try CommandMessage(payload: command.payload)
            #expect(message.id == intent.id)
            #expect(message.controller == intent.controller)
            #expect(message.name == .locate)
            #expect(message.arguments == ["level": "max"])
            #expect(message.expiresAt == intent.expiresAt)
            #expect(message.sequence == 7)
            #expect(try service.prepare(intent, sequence: 7).payload == command.payload)
        }
    }

    @Test func aCommandThatIsTooLongCannotBeExpressed() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let service = channel.service(for: device("a"), in: home)
            let long = try intent(arguments: ["x": .string(String(repeating: "x", count: 70_000))])
            let error = #expect(throws: CommunicationError.self) {
                try service.prepare(long, sequence: 1)
            }
            #expect(error?.code == .cannotExpress)
            #expect(error?.certainty == .neverLeft)
        }
    }

    @Test func theBrokerTellsThatNobodyListens() async throws {
        try await withBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                let command = try service.prepare(intent(), sequence: 1)
                #expect(try await service.sendMessage(command, attempt: 1) == .noReceiver)
            }
        }
    }

    @Test func aForbiddenTopicIsRefusedForGood() async throws {
        let access = try folder.file("access", "topic read homeport/v1/#\n")
        try await withBroker("acl_file \(access)") { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                let command = try service.prepare(intent(), sequence: 1)
                let receipt = try await service.sendMessage(command, attempt: 1)
                guard case .refused(let code, _) = receipt else {
                    Issue.record("not refused: \(receipt)")
                    return
                }
                #expect(code == .forbidden)
            }
        }
    }

    @Test func withoutALinkACommandNeverLeaves() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let service = channel.service(for: device("a"), in: home)
            let command = try service.prepare(intent(), sequence: 1)
            let error = await #expect(throws: CommunicationError.self) {
                try await service.sendMessage(command, attempt: 1)
            }
            #expect(error?.code == .notConnected)
            #expect(error?.certainty == .neverLeft)
        }
    }

    @Test func aCommandWhoseLinkWasLostMayHaveLeft() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                let command = try service.prepare(intent(), sequence: 1)
                let error = await #expect(throws: CommunicationError.self) {
                    try await service.sendMessage(command, attempt: 1)
                }
                #expect(error?.code == .linkLost)
                #expect(error?.certainty == .mayHaveLeft)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            peer.cut()
        }
    }

    // MARK: ObservationRecorder

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
                    let evidence = await a.messages.evidence()
                    #expect(evidence?.id == first)
                    #expect(evidence?.raw == ack(first).payload)
                    #expect(await b.messages.evidence()?.id == second)
                }
            }
        }
    }

    @Test func aConversationHearsWhetherItsDeviceIsThereAndItsState() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "device") { peer in
                for id in ["a", "b"] { try await peer.announce(id) }
                try await withChannel(broker.url) { channel in
                    let service = channel.service(for: device("a"), in: home)
                    try await service.connect(to: generic("a"))
                    // A second call joins the conversation that there is.
                    try await service.connect(to: generic("a"))
                    let id = makeCommandID()
                    try await peer.acknowledge(id, of: "a", on: "a")
                    var words: [String] = []
                    while words.last != "evidence" {
                        words.append(try #require(await service.messages.next()).content.name)
                    }
                    #expect(words == ["presence", "state 1", "evidence"])
                }
            }
        }
    }

    @Test func aConversationThatWasEndedHearsNothing() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                try await service.connect(to: generic("a"))
                await service.disconnect()
                #expect(await service.messages.next() == nil)
                #expect(await channel.conversations.isEmpty)
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let packet = try peer.nextGranting()
            #expect(packet.kind == .unsubscribe)
            #expect(try packet.filters().count == 3)
            broker.signal()
        }
    }

    @Test func aConversationThatNobodyHoldsEnds() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                try await channel.service(for: device("a"), in: home).connect(to: generic("a"))
                await broker.signalled()
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            #expect(try peer.nextGranting().kind == .unsubscribe)
            broker.signal()
        }
    }

    @Test func aRefusedConversationSaysWhatIsNotPermitted() async throws {
        try await withFakeBroker { broker in
            try await withChannel(broker.url) { channel in
                let service = channel.service(for: device("a"), in: home)
                let error = await #expect(throws: CommunicationError.self) {
                    try await service.connect(to: generic("a"))
                }
                #expect(error?.code == .notPermitted)
                #expect(error?.message.contains("homeport/v1/home-1/a/ack/ctl") == true)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.nextGranting(butNot: "/ack/ctl")
        }
    }
}
