import DeviceDomain
import DeviceMessages
import DeviceTopics
import MQTTClient
import TestSupport
import Testing

/// The device's rows of docs/command-conformance.md: the built simulator and a real broker, on both
/// versions of MQTT.
@Suite(.timeLimit(.minutes(2))) struct CommandConformanceTests {
    private static let acks = ["homeport/v1/+/+/ack/+"]
    private let journal: TemporaryFolder

    init() throws { journal = try TemporaryFolder() }

    // MARK: Rows 1 to 3: duplicates

    @Test(arguments: MQTTProtocolVersion.allCases)
    func fiveCopiesRunOnce(_ version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            let command = try TestCommand("start-cleaning")
            try await Listener.with(broker.url, hearing: Self.acks, version: version) { listener in
                var final: AckMessage?
                try await runDevice(broker, version) {
                    let running = try await answers(to: command, from: listener)
                    #expect(running.map(\.stage).allSatisfy { !$0.isFinal })
                    #expect(running.filter { !$0.isReplay && $0.stage == .accepted }.count == 1)
                    #expect(running.filter(\.isReplay).count == 4)
                    let stop = try TestCommand("stop")
                    try await listener.send(stop.payload, to: "sweeper-1", urgently: true)
                    final = try await listener.hearAck(of: command.id, where: \.isFinal)
                    #expect(final?.stage == .cancelled && final?.executions == 1)
                    let late = try await answers(to: command, from: listener)
                    #expect(late.map(\.payload) == copies(of: final))
                }
                try await runDevice(broker, version) {
                    let afterRestart = try await answers(to: command, from: listener)
                    #expect(afterRestart.map(\.payload) == copies(of: final))
                }
            }
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func otherBytesUnderAUsedIDAreRefused(_ version: MQTTProtocolVersion) async throws {
        try await withDevice(version) { listener, broker in
            let first = try TestCommand("set-suction-level", ["level": "max"])
            let other = try TestCommand("set-suction-level", ["level": "quiet"], id: first.id)
            try await listener.send(first.payload, to: "sweeper-1")
            let result = try await listener.hearAck(of: first.id, where: \.isFinal)
            try await listener.send(other.payload, to: "sweeper-1")
            let refused = try await listener.hearAck(of: first.id, where: \.isFinal)
            #expect(refused.stage == .rejected && refused.code == .idReused)
            #expect(refused.n == 1 && !refused.isReplay && refused.executions == 0)
            try await listener.send(first.payload, to: "sweeper-1")
            let again = try await listener.hearAck(of: first.id, where: \.isFinal)
            #expect(again.payload == result.replayed.payload)
            #expect(try await state(broker)["fanSpeed"] == "max")
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func twoControllersMayUseOneID(_ version: MQTTProtocolVersion) async throws {
        try await withDevice(version) { listener, _ in
            let first = try TestCommand("locate", from: "ctl-1")
            let second = try TestCommand("locate", id: first.id, from: "ctl-2")
            for (command, controller) in [(first, "ctl-1"), (second, "ctl-2")] {
                try await listener.send(command.payload, to: "sweeper-1")
                let ack = try await listener.hear { message -> AckMessage? in
                    guard case .ack(let ack, let named) = message.content, ack.isFinal else {
                        return nil
                    }
                    #expect(named.text == controller)
                    return ack
                }
                #expect(ack.id == first.id && ack.stage == .succeeded && ack.executions == 1)
            }
        }
    }

    // MARK: Row 4: expiry

    @Test(arguments: MQTTProtocolVersion.allCases)
    func whatHasExpiredDoesNotRun(_ version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await Listener.with(broker.url, hearing: Self.acks, version: version) { listener in
                try await runDevice(broker, version) {}
                // It expires while the broker keeps it for the device.
                let queued = try TestCommand("set-suction-level", ["level": "max"], lifetime: .zero)
                try await listener.send(queued.payload, to: "sweeper-1")
                try await runDevice(broker, version) {
                    expectExpired(try await listener.hearAck(of: queued.id))
                    let past = try TestCommand("locate", lifetime: .zero)
                    try await deliverLate(past, through: listener)
                    expectExpired(try await listener.hearAck(of: past.id))
                    #expect(try await state(broker)["fanSpeed"] == "balanced")
                }
            }
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func whatExpiresInTheLaneDoesNotRun(_ version: MQTTProtocolVersion) async throws {
        try await withDevice(version) { listener, _ in
            let cleaning = try TestCommand("start-cleaning")
            let waiting = try TestCommand("start-cleaning", lifetime: .seconds(4))
            try await listener.send(cleaning.payload, to: "sweeper-1")
            try await listener.send(waiting.payload, to: "sweeper-1")
            let accepted = try await listener.hearAck(of: waiting.id)
            #expect(accepted.stage == .accepted)
            let ended = try await listener.hearAck(of: waiting.id, where: \.isFinal)
            expectExpired(ended)
            #expect(ended.at > accepted.at)
        }
    }

    // MARK: Rows 5 and 6: how it comes

    @Test(arguments: MQTTProtocolVersion.allCases)
    func aRetainedCommandIsDropped(_ version: MQTTProtocolVersion) async throws {
        try await withBroker { broker in
            try await Listener.with(broker.url, hearing: Self.acks, version: version) { listener in
                for isUrgent in [false, true] {
                    let retained = try TestCommand("set-suction-level", ["level": "max"])
                    try await listener.send(
                        retained.payload, to: "sweeper-1", urgently: isUrgent, retain: true)
                }
                try await runDevice(broker, version) {
                    let marker = try TestCommand("locate")
                    try await listener.send(marker.payload, to: "sweeper-1")
                    let acks = try await listener.hearAcks(untilTheEndOf: marker.id)
                    #expect(acks.allSatisfy { $0.id == marker.id })
                    #expect(try await state(broker)["fanSpeed"] == "balanced")
                }
            }
        }
    }

    @Test func aForeignResponseTopicIsRefusedOnTheOwnOne() async throws {
        try await withDevice(.v5) { listener, _ in
            for topic in [
                "elsewhere", "homeport/v1/home-1/sweeper-2/ack/\(Listener.controller)",
                "homeport/v1/home-1/sweeper-1/ack/ctl-2",
            ] {
                let command = try TestCommand("locate")
                try await listener.send(command.payload, to: "sweeper-1", responseTopic: topic)
                let ack = try await listener.hear { message -> AckMessage? in
                    guard case .ack(let ack, let controller) = message.content else { return nil }
                    #expect(controller.text == Listener.controller)
                    #expect(message.device?.text == "sweeper-1")
                    return ack
                }
                #expect(ack.id == command.id)
                #expect(ack.stage == .rejected && ack.code == .badResponseTopic)
            }
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func withoutAResponseTopicTheAckGoesToTheControllersOwn(
        _ version: MQTTProtocolVersion
    ) async throws {
        try await withDevice(version) { listener, _ in
            let command = try TestCommand("locate")
            try await listener.send(command.payload, to: "sweeper-1")
            let controller = try await listener.hear { message -> String? in
                guard case .ack(let ack, let controller) = message.content, ack.isFinal else {
                    return nil
                }
                return controller.text
            }
            #expect(controller == Listener.controller)
        }
    }

    // MARK: Row 13: stop

    @Test(arguments: MQTTProtocolVersion.allCases)
    func stopEndsTheRunningAndTheWaitingOnes(_ version: MQTTProtocolVersion) async throws {
        try await withDevice(version) { listener, broker in
            let starts = try (0...10).map { _ in try TestCommand("start-cleaning") }
            for start in starts { try await listener.send(start.payload, to: "sweeper-1") }
            _ = try await listener.hearAck(of: starts[10].id)
            let stop = try TestCommand("stop")
            try await listener.send(stop.payload, to: "sweeper-1", urgently: true)
            let acks = try await listener.hearAcks(untilTheEndOf: stop.id)
                .drop { $0.id != stop.id }
            #expect(acks.map(\.id) == [stop.id] + starts.map(\.id) + [stop.id])
            #expect(
                acks.map(\.stage)
                    == [.accepted, .cancelled] + Array(repeating: .superseded, count: 10)
                    + [.succeeded])
            #expect(acks.dropFirst().dropLast().map(\.executions).reduce(0, +) == 1)
            #expect(try await state(broker)["activity"] != "cleaning")
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func stopEndsAStartThatIsInFlight(_ version: MQTTProtocolVersion) async throws {
        try await withDevice(version) { listener, broker in
            let start = try TestCommand("start-cleaning")
            let stop = try TestCommand("stop")
            try await listener.send(start.payload, thenUrgently: stop.payload, to: "sweeper-1")
            let acks = try await listener.hearAcks(untilTheEndOf: stop.id)
            #expect(acks.last?.stage == .succeeded)
            #expect(acks.first { $0.id == start.id && $0.isFinal }?.stage == .cancelled)
            #expect(try await state(broker)["activity"] != "cleaning")
        }
    }

    // MARK: Row 16: malformed commands

    @Test(arguments: MQTTProtocolVersion.allCases)
    func whatCannotBeAnsweredIsDropped(_ version: MQTTProtocolVersion) async throws {
        try await withDevice(version) { listener, _ in
            let good = try TestCommand("locate")
            let nested = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
            for payload in [
                Array("{".utf8), Array("null".utf8), [0xFF, 0xFE], [],
                good.payload(
                    replacing: "\"arguments\":{}", with: "\"arguments\":{\"a\":\(nested)}"),
                good.payload(replacing: "\"locate\"", with: "\"loc\u{0}ate\""),
                good.payload(replacing: good.id.text, with: good.id.text.uppercased()),
                good.payload + [UInt8](repeating: 0x20, count: 1 << 20),
            ] {
                try await listener.send(payload, to: "sweeper-1")
            }
            let marker = try TestCommand("locate")
            try await listener.send(marker.payload, to: "sweeper-1")
            let acks = try await listener.hearAcks(untilTheEndOf: marker.id)
            #expect(acks.allSatisfy { $0.id == marker.id })
            try await listener.send(good.payload, to: "sweeper-1")
            let ack = try await listener.hearAck(of: good.id, where: \.isFinal)
            #expect(ack.stage == .succeeded, "its id was left free")
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func whatCanBeAnsweredIs(_ version: MQTTProtocolVersion) async throws {
        let cases: [(part: String, other: String, stage: AckStage, code: AckCode)] = [
            ("\"v\":1", "\"v\":2", .rejected, .unsupportedVersion),
            ("\"sequence\":1", "\"sequence\":\"1\"", .rejected, .badRequest),
            ("\"arguments\":{}", "\"arguments\":[]", .rejected, .badRequest),
            ("\"arguments\":{},", "", .rejected, .badRequest),
            ("\"locate\"", "\"loc\\u0000ate\"", .rejected, .unknownCommand),
            ("{\"v\":1", "{\"x\":{\"y\":[null]},\"v\":1", .succeeded, .ok),
        ]
        try await withDevice(version) { listener, _ in
            for (part, other, stage, code) in cases {
                let command = try TestCommand("locate")
                let payload = command.payload(replacing: part, with: other)
                #expect(payload != command.payload)
                try await listener.send(payload, to: "sweeper-1")
                let ack = try await listener.hearAck(of: command.id, where: \.isFinal)
                #expect(ack.stage == stage && ack.code == code, "\(other)")
            }
        }
    }
}

extension CommandConformanceTests {
    /// A robot with a broker of its own, beside which `body` runs.
    private func withDevice(
        _ version: MQTTProtocolVersion, _ body: (Listener, MosquittoBroker) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await Listener.with(broker.url, hearing: Self.acks, version: version) { listener in
                try await runDevice(broker, version) { try await body(listener, broker) }
            }
        }
    }

    /// Runs a robot that is killed at the end.
    private func runDevice(
        _ broker: MosquittoBroker, _ version: MQTTProtocolVersion, _ body: () async throws -> Void
    ) async throws {
        let options = [
            "--broker", broker.url, "--sweepers", "1", "--journal", journal.path, "--mqtt-version",
            version.rawValue,
        ]
        try await SimulatorProcess.run(options) { simulator in
            try await simulator.line(beginning: "ready")
            try await body()
            simulator.kill()
            try await simulator.readToEnd()
        }
    }

    /// Sends a command five times, and collects what the device says to it; progress is left out.
    private func answers(
        to command: TestCommand, from listener: Listener
    ) async throws -> [AckMessage] {
        for _ in 0..<5 { try await listener.send(command.payload, to: "sweeper-1") }
        let marker = try TestCommand("locate")
        try await listener.send(marker.payload, to: "sweeper-1")
        return try await listener.hearAcks(untilTheEndOf: marker.id)
            .filter { $0.id == command.id && ($0.stage != .progress || $0.isReplay) }
    }

    private func copies(of final: AckMessage?) -> [[UInt8]] {
        Array(repeating: final?.replayed.payload ?? [], count: 5)
    }

    /// Sends a command after another one was answered, so that it is older than a millisecond.
    private func deliverLate(
        _ command: TestCommand, through listener: Listener
    ) async throws {
        let marker = try TestCommand("locate")
        try await listener.send(marker.payload, to: "sweeper-1")
        _ = try await listener.hearAck(of: marker.id, where: \.isFinal)
        try await listener.send(command.payload, to: "sweeper-1")
    }

    private func expectExpired(_ ack: AckMessage) {
        #expect(ack.stage == .expired && ack.code == .expired)
        #expect(ack.executions == 0)
    }

    /// The retained state of the robot.
    private func state(_ broker: MosquittoBroker) async throws -> JSONObject {
        try await Listener.with(broker.url, hearing: ["homeport/v1/home-1/sweeper-1/state"]) {
            try await $0.hear { message in
                if case .state(let state) = message.content { state.state } else { nil }
            }
        }
    }
}
