import Connectivity
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@testable import MosquittoAdapter

/// A controller's link and a home with malformed messages.
@Suite(.timeLimit(.minutes(1))) struct MalformedPayloadTests {
    /// A topic that controllers read, a payload that belongs there, and whether it is retained.
    struct Target: Sendable, CustomTestStringConvertible {
        let topic: String
        let payload: String
        var isRetained = false

        var testDescription: String { topic }
    }

    static let targets = [
        Target(
            topic: "a/description",
            payload: """
                {"v":1,"device":"a","model":"x-1","kind":"x","name":"a","firmware":"1",\
                "capabilities":["movable"],"commands":[{"name":"go","arguments":{"type":"object",\
                "required":["x"],"properties":{"x":{"type":"number"}}},"lane":"normal",\
                "sort":"setting","offline":"latest","undo":"restore"}]}
                """, isRetained: true),
        Target(
            topic: "a/presence",
            payload: #"{"v":1,"device":"a","status":"online","boot":"b1","at":1}"#,
            isRetained: true),
        Target(
            topic: "a/state",
            payload: """
                {"v":1,"device":"a","boot":"b1","revision":1,"at":1,"by":null,"state":{"level":3}}
                """, isRetained: true),
        Target(
            topic: "a/telemetry",
            payload: #"{"v":1,"device":"a","boot":"b1","at":1,"n":1,"values":{"powerW":1.5}}"#),
        Target(
            topic: "a/event/stuck",
            payload: """
                {"v":1,"device":"a","boot":"b1","id":"018f3c20-7b9a-7c2e-9d5e-3a1f0c9b7e11","at":1,\
                "event":"stuck","detail":{"code":"X"}}
                """),
        Target(
            topic: "a/ack/ctl",
            payload: """
                {"v":1,"id":"018f3c20-7b9a-7c2e-9d5e-3a1f0c9b7e11","device":"a","boot":"b1","n":1,\
                "stage":"accepted","final":false,"code":"OK","message":"","result":{},\
                "revision":1,"executions":0,"replay":false,"at":1}
                """),
    ]

    @Test(arguments: targets)
    func aThousandMalformedPayloadsAreCountedAndTheLinkGoesOn(target: Target) async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "vandal") { vandal in
                for id in ["a", "b"] { try await vandal.announce(id) }
                try await withChannel(broker.url) { channel in
                    let service = channel.service(for: device("a"), in: home)
                    try await service.connect(to: generic("a"))
                    let (recorder, _) = channel.startRecording()
                    _ = try await channel.replay(home, .everyDevice)
                    try await spoil(target, through: vandal, until: service)
                    #expect(await channel.counters.total > 500)
                    let part = target.topic.split(separator: "/")[1]
                    #expect(recorder.names(of: "a").filter { $0 == "problem \(part)" }.count > 500)
                    try await expectAWholeHome(channel, vandal)
                }
            }
        }
    }

    @Test func aDeviceWithAMalformedFloorPlanIsUsableWithoutIt() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "vandal") { vandal in
                try await vandal.publish(
                    "homeport/v1/home-1/a/description",
                    """
                    {"v":1,"device":"a","model":"x-1","kind":"x","commands":["locate"],\
                    "floorPlan":{"rooms":[{"id":1}]}}
                    """, retain: true)
                try await withChannel(broker.url) { channel in
                    let (recorder, _) = try await channel.survey(.device(device("a")))
                    #expect(recorder.names(of: "a") == ["description", "problem description"])
                    guard case .problem(_, let reason) = recorder.all.last?.content else { return }
                    #expect(reason.contains("floorPlan.rooms[0].rectangle"))
                    #expect(await channel.counters.malformedPayloads == 1)
                }
            }
        }
    }

    /// Publishes malformed messages; a valid ack after every batch must arrive. A broker queues a thousand
    /// messages for a client and drops others.
    private func spoil(
        _ target: Target, through vandal: MQTTPeer, until service: any CommunicationService
    ) async throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 1...4 {
            for _ in 1...250 {
                try await vandal.publish(
                    "homeport/v1/home-1/\(target.topic)",
                    generator.spoiled(Array(target.payload.utf8)), retain: target.isRetained)
            }
            let id = makeCommandID()
            try await vandal.acknowledge(id, of: "a", on: "a")
            while let evidence = await service.messages.evidence(), evidence.id != id {}
        }
    }

    /// After that an observer still gets every device that announces itself.
    private func expectAWholeHome(_ channel: MosquittoChannel, _ vandal: MQTTPeer) async throws {
        try await vandal.announce("c", revision: 1_000_000)
        let (recorder, completeness) = try await channel.survey()
        #expect(completeness == .complete)
        #expect(Set(recorder.names(of: "b")) == ["description", "presence", "state 1"])
        #expect(Set(recorder.names(of: "c")) == ["description", "presence", "state 1000000"])
    }
}
