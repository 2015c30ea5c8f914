import TestSupport
import Testing

/// The built program and brokers that speak TLS.
@Suite(.timeLimit(.minutes(1))) struct TLSTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func theAuthorityComesFromTheOptionOrTheEnvironment() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            let url = "mqtts://localhost:\(broker.port)"
            let named = try await workplace.homeport(
                "devices", "--broker", url, "--ca-file", certificates.authority)
            #expect(named.status == 0, "\(named.errors)")
            let store = try await workplace.homeport(
                "devices", "--broker", url,
                environment: ["SSL_CERT_FILE": certificates.authority])
            #expect(store.status == 0, "\(store.errors)")
        }
    }

    @Test func refusedTLSIsStatusFive() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            let url = "mqtts://localhost:\(broker.port)"
            let stranger = try await workplace.homeport(
                "devices", "--broker", url, "--connect-timeout", "1s",
                environment: ["SSL_CERT_FILE": certificates["other-ca"]])
            #expect(stranger.status == 5)
            #expect(stranger.errors.contains("name the CA that issued it"), "\(stranger.errors)")
            let other = try await workplace.homeport(
                "devices", "--broker", url, "--connect-timeout", "1s", "--ca-file",
                certificates.authority, "--tls-server-name", "b.example")
            #expect(other.status == 5)
            #expect(other.errors.contains("not for b.example"), "\(other.errors)")
            #expect(other.remarks.count == 1)
        }
    }

    @Test func aBrokerMayAskForACertificate() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates, "require_certificate true") { broker in
            let url = "mqtts://localhost:\(broker.port)"
            let known = try await workplace.homeport(
                "devices", "--broker", url, "--ca-file", certificates.authority, "--cert-file",
                certificates["client"], "--key-file", certificates.key)
            #expect(known.status == 0, "\(known.errors)")
            let nobody = try await workplace.homeport(
                "devices", "--broker", url, "--ca-file", certificates.authority,
                "--connect-timeout", "1s")
            #expect(nobody.status == 5)
            #expect(nobody.errors.contains("of this client"), "\(nobody.errors)")
        }
    }

    @Test(arguments: [
        ["--broker", "mqtts://localhost:1", "--ca-file", "/none.pem"],
        ["--broker", "mqtts://localhost:1", "--key-file", "/none.pem"],
        ["--broker", "mqtt://localhost:1", "--ca-file", "/none.pem"],
        ["--broker", "mqtt://localhost:1", "--tls-server-name", "x"],
    ])
    func optionsThatCannotBeUsedAreStatusSixtyFour(options: [String]) async throws {
        let run = try await workplace.shell(
            "\"$homeport\" devices \(options.joined(separator: " "))")
        #expect(run.status == 64)
        #expect(run.errors.contains("TLS"))
    }
}
