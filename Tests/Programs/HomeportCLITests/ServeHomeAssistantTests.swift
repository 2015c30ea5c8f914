import Glibc
import Homeport
import TestSupport
import Testing

/// The built `homeport serve --home-assistant`; the test plays a device and Home Assistant.
@Suite(.timeLimit(.minutes(1))) struct ServeHomeAssistantTests {
    private let workplace: Workplace
    private let base = "homeport/home-assistant/home-1"
    private let level = "homeassistant/number/homeport-home-1/lamp-1_set-level/config"

    init() throws { workplace = try Workplace() }

    @Test func failedCommandPutsTheTrueStateBack() async throws {
        try await withBridge { device, assistant, _ in
            try await assistant.next(level)
            // With the activity of the state before, which the server may have seen or not.
            try await device.publish(state: #"{"activity":"on","level":40}"#)
            let shown = """
                {"number":{"set-level":40},"sensor":{"activity":"on"},\
                "switch":{"set-islanding":null}}
                """
            try await assistant.next("\(base)/lamp-1/state", shown)
            try await assistant.publish("\(base)/lamp-1/number/set-level/set", "70")
            let command = try #require(try await device.commands(1).first)
            #expect(command.arguments == #"{"percent":70}"#)
            try await device.acknowledge(command, n: 1, "rejected", code: "WRONG_STATE")
            try await assistant.next("\(base)/lamp-1/state", shown)
            let history = try await workplace.homeport("history", "--json")
            #expect(history.output.contains(command.id))
            #expect(history.output.contains(#""state":"rejected""#))
        }
    }

    @Test func birthMessageBringsEverythingAgain() async throws {
        try await withBridge { _, assistant, _ in
            let first = try await assistant.next(level)
            try await assistant.publish(level, "", retain: true)
            try await assistant.publish("homeassistant/status", "online")
            try await assistant.next(level, first)
            try await assistant.next("\(base)/lamp-1/availability", "online")
        }
    }

    @Test func deviceInDoubtIsUnavailableAndARemovedOneGoes() async throws {
        try await withBridge { device, assistant, server in
            try await assistant.next("\(base)/lamp-1/availability", "online")
            try await device.presence("offline")
            try await assistant.next("\(base)/lamp-1/availability", "offline")
            for part in ["description", "presence", "state"] {
                try await device.peer.publish(
                    "homeport/v1/home-1/lamp-1/\(part)", "", retain: true)
            }
            try await assistant.next(level, "")
            server.kill()
            try await assistant.next("\(base)/status", "offline")
        }
    }

    @Test func whatAnEarlierServerSaidOfADeviceThatIsGoneIsRemoved() async throws {
        let gone = "homeassistant/sensor/homeport-home-1/gone-1_x/config"
        let others = "homeassistant/sensor/other/gone-1_x/config"
        try await withBridge(besides: [gone, others]) { _, assistant, _ in
            try await assistant.next(gone, "")
            // What somebody else has announced is still there.
            try await assistant.subscribe("homeassistant/sensor/other/#")
            try await assistant.next(others, "{}")
        }
    }

    /// Both would take each command of Home Assistant.
    @Test func secondServerOfALedgerRefusesUntilTheFirstIsKilled() async throws {
        try await withBroker { broker in
            let call = ["serve", "--home-assistant", "--broker", broker.url]
            let first = try await workplace.runningForRemarks(call) { first in
                try await first.line(beginning: "ready")
                let second = try await workplace.homeport(call)
                #expect(second.status == 1)
                #expect(second.remarks.count == 1, "\(second.errors)")
                #expect(second.errors.contains("announces home-1 from this ledger"))
                #expect(second.errors.contains("leave out --home-assistant"))
                try await coexists(["serve", "--broker", broker.url])
                try await coexists(call + ["--home", "home-2"])
                first.kill()
            }
            #expect(first == -SIGKILL)
            try await coexists(call)
        }
    }

    /// A server becomes ready, and ends when it is told to.
    private func coexists(_ call: [String]) async throws {
        let status = try await workplace.runningForRemarks(call) { server in
            try await server.line(beginning: "ready")
            kill(server.processID, SIGTERM)
        }
        #expect(status == 0)
    }

    @Test func wrongPrefixIsRefused() async throws {
        let run = try await workplace.homeport("serve", "--home-assistant-prefix", "a/#")
        #expect(run.status == 64)
        #expect(run.errors.contains("cannot be a discovery prefix"), "\(run)")
    }

    /// Runs a server beside a lamp that it knows, and Home Assistant.
    /// - Parameter retained: topics on which something was published before.
    private func withBridge(
        besides retained: [String] = [],
        _ body: (FakeDevice, MQTTPeer, ChildProcess) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                try await MQTTPeer.with(broker.url, id: "assistant") { assistant in
                    try await assistant.subscribe("homeassistant/#", "\(base)/#")
                    for topic in retained {
                        try await assistant.publish(topic, "{}", retain: true)
                    }
                    _ = try await workplace.runningForRemarks(
                        "serve", "--home-assistant", "--broker", broker.url
                    ) { server in
                        try await server.line(beginning: "ready")
                        try await body(device, assistant, server)
                        kill(server.processID, SIGTERM)
                    }
                }
            }
        }
    }
}

extension MQTTPeer {
    /// The next message on a topic, with a payload where one is given; others are passed over.
    @discardableResult
    fileprivate func next(_ topic: String, _ expected: String? = nil) async throws -> String {
        for await message in messages where message.topic.rawValue == topic {
            let payload = String(decoding: message.payload, as: UTF8.self)
            if expected == nil || payload == expected { return payload }
        }
        throw TestSupportError("no \(expected ?? "message") on \(topic)")
    }
}
