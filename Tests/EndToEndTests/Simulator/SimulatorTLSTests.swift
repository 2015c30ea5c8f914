import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SimulatorTLSTests {
    @Test func theFleetConnectsByTLSToAnAuthorityOfTheEnvironment() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            let options = ["--broker", "mqtts://localhost:\(broker.port)", "--sweepers", "3"]
            let ending = try await SimulatorProcess.run(
                options, through: "export SSL_CERT_FILE=\(certificates.authority);"
            ) { simulator in
                try await simulator.line(beginning: "ready 3 devices")
            }
            #expect(ending.status == 0)
        }
    }
}
