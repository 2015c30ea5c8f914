import TestSupport

@testable import MQTTClient

extension MQTTConfiguration {
    /// A configuration that trusts the tests' authority and tries once.
    static func tls(
        _ port: UInt16, _ certificates: TestCertificates, serverName: String? = nil,
        client: String? = nil, host: String = "127.0.0.1", version: MQTTProtocolVersion = .v5,
        id: String = "test"
    ) throws -> MQTTConfiguration {
        MQTTConfiguration(
            broker: try MQTTBrokerAddress(host: host, port: port, usesTLS: true),
            security: .tls(
                MQTTTLSConfiguration(
                    authorityFile: certificates.authority,
                    certificateFile: client.map { certificates[$0] },
                    keyFile: client == nil ? nil : certificates.key, serverName: serverName)),
            clientID: try MQTTClientID(id), version: version, reconnect: .never)
    }
}

/// The fixed part of every CONNECT's payload.
let connectMark = Array("MQTT".utf8)
