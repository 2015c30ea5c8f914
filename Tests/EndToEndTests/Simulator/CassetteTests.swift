import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

/// Messages that are recorded from one broker and played on another.
@Suite(.timeLimit(.minutes(2))) struct CassetteTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var cassette: String { "\(folder.path)/tape.ndjson" }

    /// Messages with every QoS, retain flag and kind of payload.
    private static func messages() throws -> [MQTTMessage] {
        var messages: [MQTTMessage] = []
        for (number, qos) in MQTTQoS.allCases.enumerated() {
            for retain in [false, true] {
                for payload in [Array("{\"at\":5}".utf8), [0xFF, 0x00, 0x80], Array("ü\n".utf8)] {
                    messages.append(
                        MQTTMessage(
                            topic: try MQTTTopic("tape/\(number)/\(messages.count)"),
                            payload: payload, qos: qos, retain: retain))
                }
            }
        }
        return messages
    }

    /// A client beside `body`.
    private func withClient<R: Sendable>(
        _ url: String, _ body: (MQTTClient) async throws -> R
    ) async throws -> R {
        let loop = try MQTTEventLoop(label: "tape")
        let configuration = MQTTConfiguration(
            broker: try MQTTBrokerAddress(url: url),
            clientID: try MQTTClientID("tape-\(UInt32.random(in: 0...(.max)))"))
        let value = try await MQTTClient.withConnection(
            configuration: configuration, eventLoop: loop, body)
        await loop.shutdown()
        return value
    }

    private func record(
        on url: String, beside body: () async throws -> Void
    ) async throws -> Int32 {
        let program = try ChildProcess.path(of: "homeport-sim")
        let words = ["record", "--broker", url, "--topics", "tape/#", cassette]
        return try await ChildProcess.run(program, words, reading: .errors) { recorder in
            try await recorder.line(beginning: "recording")
            try await body()
            recorder.interrupt()
        }.status
    }

    private func play(_ words: String...) async throws -> Workplace.Run {
        try await FaultHouse.sim(["play", cassette] + words, in: try Workplace())
    }

    @Test
    func whatWasRecordedIsPlayedAsItWas() async throws {
        let sent = try Self.messages()
        try await withBroker { source in
            let status = try await record(on: source.url) {
                try await withClient(source.url) { client in
                    #expect(try await client.publish(contentsOf: sent).allSucceeded)
                    // What is recorded after these has them.
                    _ = try await client.publish(
                        MQTTMessage(
                            topic: try MQTTTopic("tape/end"), payload: [], qos: .exactlyOnce))
                }
                // The end is in the file: every line is written at once.
                while !(try folder.text(of: "tape.ndjson").contains("tape/end")) {
                    await Task.yield()
                }
            }
            #expect(status == 0)
        }
        try await withBroker { target in
            let heard = try await withClient(target.url) { client in
                let messages = try await client.subscribe(to: [
                    MQTTSubscriptionRequest(
                        try MQTTTopicFilter("tape/#"), qos: .exactlyOnce, retainAsPublished: true)
                ])
                let ending = try await play("--broker", target.url, "--speed", "max")
                #expect(ending.status == 0, "\(ending)")
                var heard: [MQTTMessage] = []
                for try await message in messages {
                    heard.append(message)
                    if heard.count > sent.count { break }
                }
                return heard
            }
            func key(_ message: MQTTMessage) -> String {
                "\(message.topic) \(message.qos) \(message.retain) \(message.payload)"
            }
            let expected = Set(sent.map(key))
            #expect(Set(heard.map(key)).intersection(expected) == expected)
        }
    }

    @Test func stampsAreMovedAndTimesAreKept() async throws {
        let lines = [
            #"{"v":1,"startedAt":1000}"#,
            #"{"t":0,"topic":"tape/a","qos":1,"retain":false,"payload":"{\"at\":1000}"}"#,
            #"{"t":60000,"topic":"tape/b","qos":1,"retain":false,"payload":"{\"at\":61000}"}"#,
        ]
        try folder.file("tape.ndjson", lines.joined(separator: "\n"))
        try await withBroker { target in
            let stamps = try await withClient(target.url) { client in
                let messages = try await client.subscribe(to: [
                    MQTTSubscriptionRequest(try MQTTTopicFilter("tape/#"))
                ])
                let begin = ContinuousClock.now
                let ending = try await play("--broker", target.url, "--speed", "60", "--restamp")
                #expect(
                    ending.status == 0 && ContinuousClock.now - begin >= .seconds(1), "\(ending)")
                var stamps: [Int] = []
                for try await message in messages {
                    let payload = try JSONReader.read(message.payload)
                    stamps.append(payload.object?["at"]?.integer ?? 0)
                    if stamps.count == 2 { break }
                }
                return stamps
            }
            #expect(stamps[1] - stamps[0] == 1000 && stamps[0] > 1_000_000_000_000)
        }
    }

    @Test func playingFindsThePrivateBrokerOfAFleet() async throws {
        let lines = [
            #"{"v":1,"startedAt":1000}"#,
            #"{"t":0,"topic":"tape/a","qos":2,"retain":true,"payload":"x"}"#,
        ]
        try folder.file("tape.ndjson", lines.joined(separator: "\n"))
        let workplace = try Workplace()
        try await SimulatorProcess.run(["--stores", "1"], meetingIn: workplace.folder) {
            simulator in
            try await simulator.line(beginning: "ready 1 devices")
            let played = try await FaultHouse.sim(["play", cassette], in: workplace)
            #expect(played.status == 0, "\(played)")
        }
        let alone = try await FaultHouse.sim(["play", cassette], in: try Workplace())
        #expect(alone.status == 64 && alone.errors.contains("name one with --broker"), "\(alone)")
    }

    @Test(arguments: ["record", "play"])
    func theHelpSaysWhichBrokerACassetteHas(verb: String) async throws {
        let run = try await FaultHouse.sim([verb, "--help"], in: try Workplace())
        let help = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains("default: the private broker of a running homeport-sim"), "\(help)")
        #expect(!help.contains("home k uses broker"), "\(help)")
    }

    @Test func wrongCallsAndFilesAreExplained() async throws {
        try folder.file("tape.ndjson", "{\"v\":1,\"startedAt\":0}\n{\"t\":0}\n")
        try await withBroker { broker in
            let wrong = try await play("--broker", broker.url)
            #expect(wrong.status == 65 && wrong.errors.contains("tape.ndjson:2: qos"), "\(wrong)")
        }
        let port = try freePort()
        let away = try await FaultHouse.sim(
            [
                "record", "--broker", "mqtt://127.0.0.1:\(port)", "--topics", "a",
                "\(folder.path)/b",
            ],
            in: try Workplace())
        #expect(away.status == 5, "\(away)")
        let nothing = try await FaultHouse.sim(["record", "--topics", "a"], in: try Workplace())
        #expect(
            nothing.status == 64 && nothing.errors.contains("name filters and a file"), "\(nothing)"
        )
    }
}
