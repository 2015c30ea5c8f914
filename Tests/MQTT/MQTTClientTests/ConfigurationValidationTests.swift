import MQTTClient
import TestSupport
import Testing

/// Values that C would truncate, or that would crash the library, are refused before connecting.
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationValidationTests {
    static let unusable = ["a\u{0}b", "a\u{1}", "\u{FFFF}", String(repeating: "x", count: 65_536)]

    typealias Spoil = @Sendable (inout MQTTConfiguration, String) throws -> Void

    @Test(
        arguments: [
            { $0.connectTimeout = .zero }, { $0.acknowledgementTimeout = .zero },
            { $0.acknowledgementTimeout = .seconds(-1) }, { $0.reconnect.initial = .seconds(-1) },
            { $0.reconnect.spread = .seconds(-1) }, { $0.reconnect.cap = .seconds(-1) },
            { $0.reconnect.stableAfter = .seconds(-1) }, { $0.broker.port = 0 },
            { $0.sourceAddress = "localhost" }, { $0.sourceAddress = "" },
            { $0.keepAlive = .seconds(4) }, { $0.keepAlive = .seconds(65_536) },
        ] as [@Sendable (inout MQTTConfiguration) -> Void])
    func timesThatMakeNoSenseAreRefused(
        spoil: @Sendable (inout MQTTConfiguration) -> Void
    ) throws {
        var configuration = try MQTTConfiguration.test(1)
        try configuration.validate()
        spoil(&configuration)
        let error = #expect(throws: MQTTError.self) { try configuration.validate() }
        #expect(error?.code == .invalidArgument)
    }

    static let spoilers: [(String, Spoil)] = [
        ("host", { $0.broker.host = $1 }),
        ("source address", { $0.sourceAddress = $1 }),
        (
            "user name",
            { configuration, text in
                configuration.credentials = try MQTTCredentials(username: "u", password: "p")
                configuration.credentials?.username = text
            }
        ),
        (
            "password",
            { configuration, text in
                configuration.credentials = try MQTTCredentials(username: "u", password: "p")
                configuration.credentials?.password = text
            }
        ),
        (
            "property name",
            {
                $0.connectProperties.userProperties = [.init(name: $1, value: "")]
            }
        ),
        (
            "property value",
            {
                $0.connectProperties.userProperties = [.init(name: "", value: $1)]
            }
        ),
        (
            "authentication method",
            { configuration, text in
                var authentication = try MQTTAuthentication(method: "m")
                authentication.method = text
                configuration.connectProperties.authentication = authentication
            }
        ),
        (
            "will content type",
            { configuration, text in
                var will = try MQTTMessage.test("a")
                will.properties.contentType = text
                configuration.will = MQTTWill(will)
            }
        ),
        (
            "will user property",
            { configuration, text in
                var will = try MQTTMessage.test("a")
                will.properties.userProperties = [.init(name: "n", value: text)]
                configuration.will = MQTTWill(will)
            }
        ),
    ]

    @Test(arguments: spoilers.indices, unusable)
    func stringsThatCWouldCutAreRefused(index: Int, text: String) async throws {
        var configuration = try MQTTConfiguration.test(1)
        try Self.spoilers[index].1(&configuration, text)
        let spoiled = configuration
        #expect { try spoiled.validate() } throws: { error in
            (error as? MQTTError)?.code == .invalidArgument
        }
    }

    @Test func binaryDataFitsItsLength() throws {
        var configuration = try MQTTConfiguration.test(1)
        let most = [UInt8](repeating: 0, count: 65_535)
        var will = try MQTTMessage.test("a")
        will.payload = most
        will.properties.correlationData = most
        configuration.will = MQTTWill(will)
        configuration.connectProperties.authentication = try MQTTAuthentication(
            method: "m", data: most)
        try configuration.validate()

        #expect(throws: MQTTError.self) { try MQTTAuthentication(method: "m", data: most + [0]) }
        will.payload.append(0)
        configuration.will = MQTTWill(will)
        let longPayload = configuration
        #expect(throws: MQTTError.self) { try longPayload.validate() }
        will.payload = []
        will.properties.correlationData?.append(0)
        configuration.will = MQTTWill(will)
        let longData = configuration
        #expect(throws: MQTTError.self) { try longData.validate() }
    }

    @Test(arguments: [0, 4, 65_536])
    func keepAlivesThatCannotBeSentAreRefused(seconds: Int) throws {
        var configuration = try MQTTConfiguration.test(1)
        configuration.keepAlive = .seconds(seconds)
        let spoiled = configuration
        #expect(throws: MQTTError.self) { try spoiled.validate() }
    }

    @Test func aSpoiledConfigurationNeverConnects() async throws {
        try await withLoop { loop in
            var configuration = try MQTTConfiguration.test(try freePort())
            configuration.broker.host = "127.0.0.1\u{0}.example"
            let owner = TestOwner(on: loop)
            await owner.connect(configuration)
            var events = owner.events.makeAsyncIterator()
            let (error, delay) = try await events.disconnected()
            #expect(error.code == .invalidArgument)
            #expect(delay == nil)
        }
    }

    @Test func disconnectPropertiesAreCheckedWhenTheyAreMade() throws {
        #expect(throws: MQTTError.self) { try MQTTDisconnectProperties(reasonString: "a\u{0}") }
        #expect(throws: MQTTError.self) {
            try MQTTDisconnectProperties(userProperties: [.init(name: "a\u{0}", value: "")])
        }
    }

    @Test func authenticationDoesNotPrint() throws {
        var configuration = try MQTTConfiguration.test(1)
        configuration.connectProperties.authentication = try MQTTAuthentication(
            method: "canary", data: Array("canary".utf8))
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("canary") && !text.contains("99"))
        }
    }

    /// libmosquitto crashes on an empty string that it has to copy: with QoS 1 and 2, and in CONNECT.
    @Test func emptyStringsDoNotCrash() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                var message = try MQTTMessage.test("a")
                message.properties = MQTTProperties(
                    contentType: "", correlationData: [],
                    userProperties: [.init(name: "", value: "")])
                configuration.will = MQTTWill(message)
                configuration.connectProperties.userProperties = [.init(name: "", value: "")]
                let owner = try await connectedHouse(on: loop, configuration)
                let request = MQTTSubscriptionRequest(MQTTTopicFilter(message.topic))
                _ = try await owner.answer {
                    $0.subscribe(
                        [request], userProperties: [.init(name: "", value: "")],
                        acknowledgement: $1)
                }
                for qos in MQTTQoS.allCases {
                    message.qos = qos
                    _ = try await owner.publish(message).get()
                    let received = try await owner.nextMessage()
                    #expect(received.properties.contentType == nil)
                    #expect(received.properties.userProperties == message.properties.userProperties)
                }
                let properties = try MQTTDisconnectProperties(
                    reasonString: "", userProperties: [.init(name: "", value: "")])
                try await owner.with {
                    $0.close(drainingFor: .zero, properties: properties) { _ in }
                }
            }
        }
    }
}
