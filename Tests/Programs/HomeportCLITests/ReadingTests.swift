import Foundation
import TestSupport
import Testing

/// The built program reads devices that know nothing of it.
@Suite(.timeLimit(.minutes(1))) struct ReadingTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func aForeignDeviceIsListedInBothForms() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let human = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(human.status == 0)
                #expect(human.errors.isEmpty)
                #expect(human.lines.last?.contains("lamp-1") == true)
                let json = try await workplace.homeport("devices", "--json", "--broker", broker.url)
                let listed = try object(try #require(json.lines.first))
                #expect(json.lines.count == 1)
                #expect(listed["device"] as? String == "lamp-1")
                #expect(listed["home"] as? String == "home-1")
                #expect(listed["kind"] as? String == "lamp")
                #expect(listed["presence"] as? String == "online")
                #expect(listed["boot"] as? String == "b1")
                #expect(listed["revision"] as? Int == 7)
                #expect(listed["telemetry"] is NSNull)
                #expect((listed["state"] as? [String: String]) == ["activity": "on"])
            }
        }
    }

    @Test func aNameCannotSteerTheTerminal() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "evil") { peer in
                try await peer.announcePresence(of: "evil")
                try await peer.publish(
                    "homeport/v1/home-1/evil/description",
                    #"{"v":1,"device":"evil","model":"m","kind":"k","name":"\u001b[2Jx","firmware":"","capabilities":[],"commands":[]}"#,
                    retain: true)
                for verb in ["devices", "show evil"] {
                    let run = try await workplace.shell(
                        "\"$homeport\" \(verb) --broker \(broker.url)")
                    #expect(run.status == 0)
                    #expect(!run.output.contains("\u{1B}"))
                    #expect(run.output.contains("\\u001b[2Jx"))
                }
            }
        }
    }

    @Test func aMalformedDeviceIsListedWithWhatIsWrong() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "odd") { peer in
                try await peer.announcePresence(of: "odd-1")
                try await peer.publish(
                    "homeport/v1/home-1/odd-1/description", #"{"v":1,"device":"odd-1"}"#,
                    retain: true)
                let human = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(human.status == 0)
                #expect(human.lines.last?.contains("odd-1") == true)
                #expect(human.errors.contains("odd-1: ") && human.errors.contains("model"))
                let json = try await workplace.homeport("devices", "--json", "--broker", broker.url)
                let listed = try object(try #require(json.lines.first))
                #expect((listed["problem"] as? String)?.contains("model") == true)

                for part in ["description", "presence"] {
                    try await peer.publish("homeport/v1/home-1/odd-1/\(part)", "", retain: true)
                }
                let after = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(!after.lines.contains { $0.contains("odd-1") })
            }
        }
    }

    @Test func watchTellsWhenADeviceIsRemoved() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "lamp") { peer in
                let topic = "homeport/v1/home-1/lamp-1/presence"
                try await peer.announcePresence(of: "lamp-1")
                let status = try await workplace.running(
                    "watch", "--json", "--broker", broker.url
                ) { program in
                    _ = try await program.line()
                    try await peer.publish(topic, "", retain: true)
                    let removal = try object(try #require(try await program.line()))
                    #expect(removal["type"] as? String == "removed")
                    #expect(removal["device"] as? String == "lamp-1")
                    program.interrupt()
                }
                #expect(status == 0)
            }
        }
    }

    @Test func showTellsCommandsWithTheirArguments() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let human = try await workplace.homeport("show", "lamp-1", "--broker", broker.url)
                #expect(human.status == 0)
                #expect(human.output.contains("percent=0…100"))
                let json = try await workplace.homeport(
                    "show", "lamp-1", "--json", "--broker", broker.url)
                let shown = try object(try #require(json.lines.first))
                let description = try #require(shown["description"] as? [String: Any])
                #expect((description["commands"] as? [[String: Any]])?.count == 5)
            }
        }
    }

    @Test func aReaderThatGoesAwayIsNoError() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { _ in
                let run = try await workplace.shell(
                    "set -o pipefail; \"$homeport\" devices --broker \(broker.url) | true")
                #expect(run.status == 0)
                #expect(run.errors.isEmpty)
            }
        }
    }

    @Test func watchPrintsWhatComesUntilItIsInterrupted() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.running(
                    "watch", "--json", "--broker", broker.url
                ) { program in
                    var types: [String] = []
                    while types.count < 2, let line = try await program.line() {
                        types.append(try #require(try object(line)["type"] as? String))
                    }
                    #expect(types.sorted() == ["presence", "state"])
                    try await device.peer.publish(
                        "homeport/v1/home-1/lamp-1/event/stuck",
                        #"{"v":1,"device":"lamp-1","boot":"b1","id":"018f3c20-7b9a-7c2e-9d5e-3a1f0c9b7e11","at":1764000000000,"event":"stuck","detail":{"code":"X"}}"#
                    )
                    let event = try object(try #require(try await program.line()))
                    #expect(event["type"] as? String == "event")
                    #expect(event["device"] as? String == "lamp-1")
                    #expect(event["event"] as? String == "stuck")
                    program.interrupt()
                }
                #expect(status == 0)
            }
        }
    }

    @Test func watchOutlivesItsBroker() async throws {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url) { device in
                let status = try await workplace.running(
                    "watch", "lamp-1", "--json", "--broker", broker.url
                ) { program in
                    _ = try await program.line()
                    await broker.kill()
                    try await broker.start()
                    try await device.peer.reconnected()
                    try await device.state(revision: 8)
                    while let line = try await program.line() {
                        if try object(line)["revision"] as? Int == 8 { break }
                    }
                    program.interrupt()
                }
                #expect(status == 0)
            }
        }
    }
}

extension MQTTPeer {
    /// Retains that a device is there.
    fileprivate func announcePresence(of device: String) async throws {
        try await publish(
            "homeport/v1/home-1/\(device)/presence",
            #"{"v":1,"device":"\#(device)","boot":"b1","status":"online","at":1}"#, retain: true)
    }
}
