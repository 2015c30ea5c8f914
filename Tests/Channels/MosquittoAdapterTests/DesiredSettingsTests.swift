import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

/// The retained desired document of a device (PROTOCOL section 2, "desired").
@Suite(.timeLimit(.minutes(1))) struct DesiredSettingsTests {
    private let topic = "homeport/v1/home-1/a/desired"

    @Test(arguments: MQTTProtocolVersion.allCases)
    func whatIsKeptIsRetainedAndReadAgain(_ version: MQTTProtocolVersion) async throws {
        try await withService(version) { service, _ in
            let first = try await service.desiredSettings()
            #expect(first == DesiredReading())
            let settings = DesiredSettings(revision: 7, members: ["schedule": [["weekday": 1]]])
            let receipt = try await service.keep(settings)
            #expect(receipt == .confirmed, "nobody is subscribed")
            let second = try await service.desiredSettings()
            #expect(second == DesiredReading(kept: settings))
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func theDocumentIsThatOfTheProtocol(_ version: MQTTProtocolVersion) async throws {
        try await withService(version) { service, peer in
            _ = try await service.keep(DesiredSettings(revision: 7, members: ["schedule": []]))
            try await peer.subscribe(topic)
            var messages = peer.messages.makeAsyncIterator()
            let message = try #require(await messages.next())
            #expect(message.retain)
            let text = String(decoding: message.payload, as: UTF8.self)
            #expect(
                text == """
                    {"v":1,"device":"a","revision":7,"at":1764000000000,"settings":{"schedule":[]}}
                    """)
        }
    }

    @Test func whatTheDeviceHasAppliedIsInItsRetainedState() async throws {
        try await withService { service, peer in
            try await peer.publish(
                "homeport/v1/home-1/a/state",
                """
                {"v":1,"device":"a","boot":"b1","revision":4,"at":1,"by":null,\
                "state":{"desiredRevision":7,"settings":{"schedule":[]}}}
                """, retain: true)
            let applied = DesiredSettings(revision: 7, members: ["schedule": []])
            let reading = try await service.desiredSettings()
            #expect(reading == DesiredReading(applied: applied))
        }
    }

    @Test(arguments: [
        ("{", "PROTOCOL"), (#"{"v":2}"#, "version"),
        (#"{"v":1,"device":"b","revision":1,"at":1,"settings":{}}"#, "names device b"),
        (#"{"v":1,"device":"a","revision":-1,"at":1,"settings":{}}"#, "revision"),
    ])
    func aDocumentThatCannotBeReadIsNotReplaced(_ payload: String, _ reason: String) async throws {
        try await withService { service, peer in
            try await peer.publish(topic, payload, retain: true)
            let error = await #expect(throws: CommunicationError.self) {
                try await service.desiredSettings()
            }
            #expect(error?.code == .protocolViolation)
            #expect(error?.certainty == .neverLeft)
            #expect(error?.isRetriable == false)
            let message = try #require(error?.message)
            #expect(reason == "PROTOCOL" || message.contains(reason), "\(message)")
            #expect(
                message.contains(
                    "publish a correct document or an empty retained message on \(topic)"))
        }
    }

    @Test func anEmptyDocumentIsNone() async throws {
        try await withService { service, peer in
            _ = try await service.keep(DesiredSettings(revision: 7, members: [:]))
            try await peer.publish(topic, [], retain: true)
            let reading = try await service.desiredSettings()
            #expect(reading == DesiredReading())
        }
    }

    @Test func aStateSaysWhatTheDeviceHasApplied() async throws {
        try await withService { service, peer in
            try await service.connect(to: generic("a"))
            try await peer.publish(
                "homeport/v1/home-1/a/state",
                """
                {"v":1,"device":"a","boot":"b1","revision":4,"at":1,"by":null,\
                "state":{"desiredRevision":7,"settings":{"schedule":[]}}}
                """)
            for await observation in service.messages {
                guard case .state(let state) = observation.content else { continue }
                #expect(
                    state.applied == DesiredSettings(revision: 7, members: ["schedule": []]))
                break
            }
        }
    }

    @Test func tooManySettingsCannotBeExpressed() async throws {
        try await withService { service, _ in
            let text = String(repeating: "x", count: JSONLimits.wire.bytes)
            let error = await #expect(throws: CommunicationError.self) {
                try await service.keep(DesiredSettings(revision: 1, members: ["a": .string(text)]))
            }
            #expect(error?.code == .cannotExpress)
        }
    }

    @Test func withoutAFenceNothingIsSaid() async throws {
        let clock = ManualLoopClock()
        try await withFakeBroker { broker in
            try await withChannel(broker.url, clock: .manual(clock)) { channel in
                let service = channel.service(for: device("a"), in: home)
                let error = await #expect(throws: CommunicationError.self) {
                    try await service.desiredSettings()
                }
                #expect(error?.code == .timedOut)
                #expect(error?.isRetriable == true)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let fence = try peer.nextGranting()
            #expect(fence.kind == .publish)
            clock.advance(by: .seconds(5))
            _ = peer.readToEnd()
        }
    }

    private func withService(
        _ version: MQTTProtocolVersion = .v5,
        _ body: (any CommunicationService, MQTTPeer) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "peer", version: version) { peer in
                try await withChannel(broker.url, { $0.version = version }) { channel in
                    try await body(channel.service(for: device("a"), in: home), peer)
                }
            }
        }
    }
}
