import Connectivity
import DeviceDomain
import MQTTClient
import TestSupport
import Testing

@testable import MosquittoAdapter

/// What the broker keeps of a device is cleared.
@Suite(.timeLimit(.minutes(1))) struct ClearingTests {
    private static let topics = ["description", "presence", "state", "desired"].map {
        "homeport/v1/home-1/a/\($0)"
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func nothingOfTheDeviceIsLeftAndNothingElseIsTouched(
        _ version: MQTTProtocolVersion
    ) async throws {
        try await withPeer(version) { channel, peer in
            for id in ["a", "b"] { try await peer.announce(id) }
            try await peer.publish(Self.topics[3], "{}", retain: true)
            let (recorder, _) = channel.startRecording()
            _ = try await channel.replay(home, .everyDevice)
            try await channel.clear(device("a"), in: home)
            #expect(
                Set(recorder.names(of: "a").suffix(3)) == [
                    "cleared description", "cleared presence", "cleared state",
                ])
            let (left, completeness) = try await channel.survey()
            #expect(left.devices == [device("b")] && completeness == .complete)
            // It is cleared already.
            try await channel.clear(device("a"), in: home)
        }
    }

    @Test(arguments: MQTTProtocolVersion.allCases)
    func whatTheUserMayNotClearIsSaid(_ version: MQTTProtocolVersion) async throws {
        let folder = try TemporaryFolder()
        let access = try folder.file(
            "acl",
            """
            topic readwrite homeport/v1/home-1/fence
            topic read homeport/v1/home-1/+/+
            topic write homeport/v1/home-1/+/state
            user keeper
            topic readwrite #

            """)
        try await withBroker("acl_file \(access)", "allow_anonymous true") { broker in
            try await MQTTPeer.with(
                broker.url, id: "peer", credentials: MQTTCredentials(username: "keeper")
            ) { peer in
                try await peer.announce("a")
            }
            try await withChannel(broker.url, { $0.version = version }) { channel in
                let error = await #expect(throws: CommunicationError.self) {
                    try await channel.clear(device("a"), in: home)
                }
                #expect(error?.code == .notPermitted)
                let message = try #require(error?.message)
                #expect(message.contains("2 messages of a") && message.contains(Self.topics[0]))
            }
        }
    }

    @Test func withoutALinkNothingIsCleared() async throws {
        try await withChannel("mqtt://127.0.0.1:1", opening: false) { channel in
            let error = await #expect(throws: CommunicationError.self) {
                try await channel.clear(device("a"), in: home)
            }
            #expect(error?.code == .notConnected)
        }
    }

    private func withPeer(
        _ version: MQTTProtocolVersion, _ body: (MosquittoChannel, MQTTPeer) async throws -> Void
    ) async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "peer", version: version) { peer in
                try await withChannel(broker.url, { $0.version = version }) { channel in
                    try await body(channel, peer)
                }
            }
        }
    }
}
