import Homeport
import TestSupport
import Testing

@testable import Homeport

/// What a diagnosis finds about a zigbee2mqtt bridge.
@Suite(.timeLimit(.minutes(1))) struct BridgeDiagnosisTests {
    @Test(
        arguments: [
            (nil, nil, "no zigbee2mqtt bridge answers below attic", "mqtt.base_topic is attic"),
            ("offline", nil, "the zigbee2mqtt bridge below attic is offline", "start it"),
            ("offline", "[]", "the zigbee2mqtt bridge below attic is offline", "start it"),
            ("online", nil, "has published no device list", "zigbee2mqtt runs"),
            ("online", #"{"oops":1}"#, "bridge/devices: an array was expected", "restart"),
            ("online", #"[{"ieee_address":"0x"#, "cannot be read: bridge/devices: ", "restart"),
        ] as [(String?, String?, String, String)])
    func aBridgeThatDoesNotWorkIsAProblem(
        state: String?, list: String?, reason: String, remedy: String
    ) async throws {
        let findings = try await diagnosis(of: state, list)
        #expect(findings.problems == [.zigbeeBridge], "\(findings)")
        let finding = try #require(findings.wrong(.zigbeeBridge).first)
        #expect(finding.message.contains(reason), "\(finding)")
        #expect(finding.remedy.contains(remedy), "\(finding)")
    }

    @Test func aBridgeThatWorksIsFine() async throws {
        let findings = try await diagnosis(of: "online", "[]")
        #expect(findings.problems.isEmpty, "\(findings)")
        #expect(findings.messages(.zigbeeBridge).count == 1, "\(findings)")
    }

    /// With what a bridge has retained; `nil` for nothing.
    private func diagnosis(of state: String?, _ list: String?) async throws -> [Finding] {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "bridge") { peer in
                if let state {
                    let payload = #"{"state":"\#(state)"}"#
                    try await peer.publish("attic/bridge/state", payload, retain: true)
                }
                if let list { try await peer.publish("attic/bridge/devices", list, retain: true) }
                let connection = BrokerConnection(try MQTTBrokerAddress(url: broker.url))
                let configuration = HomeConfiguration(
                    home: try HomeID("home-1"),
                    channels: [
                        .zigbee2MQTT(id: try ChannelID("attic"), connection, baseTopic: "attic")
                    ], ledger: .memory)
                return await diagnose(configuration)
            }
        }
    }
}
