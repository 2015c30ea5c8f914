import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// A running fleet and a broker full of nonsense.
@Suite(.timeLimit(.minutes(2))) struct MalformedInputTests {
    /// How many payloads each topic gets, and how many before the device is asked for a sign of
    /// life: a broker keeps a thousand for a client and drops what is beyond.
    private static let count = 1_000
    private static let batch = 250

    /// A topic that devices read, a payload that belongs there, and the reason by which a device
    /// counts what is none.
    struct Target: Sendable, CustomTestStringConvertible {
        let topic: String
        let counter: String
        let payload: @Sendable () throws -> [UInt8]

        var testDescription: String { topic }
    }

    static let targets = [
        Target(topic: "home-1/sweeper-1/command", counter: "unreadable-command") {
            try TestCommand("set-suction-level", ["level": "max"]).payload
        },
        Target(topic: "home-1/sweeper-1/command/urgent", counter: "unreadable-command") {
            try TestCommand("pause").payload
        },
        Target(topic: "home-1/sweeper-1/desired", counter: "unreadable-desired") {
            Array(#"{"v":1,"device":"sweeper-1","revision":7,"at":1,"settings":{"a":[1]}}"#.utf8)
        },
        Target(topic: "home-1/hello", counter: "unreadable-hello") {
            Array(#"{"v":1,"nonce":"n","spreadMs":0}"#.utf8)
        },
        Target(topic: "home-1/sweeper-1/presence", counter: "unreadable-presence") {
            Array(#"{"v":1,"device":"sweeper-1","status":"online","boot":"b1","at":1}"#.utf8)
        },
    ]

    @Test(arguments: targets)
    func aThousandMalformedPayloadsAreCountedAndTheFleetGoesOn(target: Target) async throws {
        let port = try freePort()
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--sweepers", "2", "--metrics", "127.0.0.1:\(port)",
            ]
            let ending = try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready 2 devices")
                try await Listener.with(broker.url, hearing: ["homeport/v1/+/+/ack/+"]) {
                    listener in
                    try await MQTTPeer.with(broker.url, id: "vandal") { vandal in
                        try await spoil(target, through: vandal, listener)
                    }
                }
                let metrics = try await HTTPProbe.get("/metrics", port: port).body
                #expect(Self.dropped(target.counter, in: metrics) > Self.count / 2)
                let readiness = try await HTTPProbe.get("/ready", port: port)
                #expect(readiness.body == "2 of 2 devices ready\n")
            }
            #expect(ending.status == 0)
        }
    }

    /// Publishes what is malformed, and asks for a sign of life after every batch.
    private func spoil(_ target: Target, through vandal: MQTTPeer, _ listener: Listener)
        async throws
    {
        var generator = SeededGenerator(seed: 3)
        for batch in 1...Self.count / Self.batch {
            for _ in 0..<Self.batch {
                let payload = generator.spoiled(try target.payload())
                try await vandal.publish("homeport/v1/\(target.topic)", payload)
            }
            // One sender's messages reach a device in their order.
            let command = try TestCommand("identify", sequence: batch)
            try await vandal.publish("homeport/v1/home-1/sweeper-1/command", command.payload)
            let ack = try await listener.hearAck(of: command.id, where: \.isFinal)
            #expect(ack.stage == .succeeded)
        }
    }

    /// The value of a counter of dropped messages.
    private static func dropped(_ reason: String, in metrics: String) -> Int {
        let start = "homeport_messages_dropped_total{reason=\"\(reason)\"} "
        let line = metrics.split(separator: "\n").first { $0.hasPrefix(start) }
        return line.flatMap { Int($0.dropFirst(start.count)) } ?? 0
    }
}
