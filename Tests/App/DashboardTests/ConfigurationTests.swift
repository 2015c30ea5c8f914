import TestSupport
import Testing

@testable import Dashboard

@Suite struct ConfigurationTests {
    @Test(arguments: [
        ("127.0.0.1:8080", true), ("localhost:0", true), ("[::1]:8080", true),
        ("127.9.9.9:1", true),
        ("0.0.0.0:8080", false), ("192.168.1.5:443", false), ("[::]:8080", false),
    ])
    func addressesAreReadAndToldApart(text: String, isLoopback: Bool) throws {
        #expect(try DashboardAddress(text).isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "hall:80",
        "::1:80", "[::1]", "[::1]80", "127.0.0.1:8 0", "300.0.0.1:80",
    ])
    func whatIsNoAddressIsRefusedWithARule(text: String) throws {
        let error = try #require(throws: DashboardError.self) { try DashboardAddress(text) }
        #expect(error.code == .options && error.message.contains("HOST:PORT"))
    }

    @Test func othersAreServedWithTLSAndAPasswordOnly() throws {
        let address = try DashboardAddress("0.0.0.0:8080")
        for (certificate, missing) in [(String?.none, "TLS"), ("cert.pem", "a password")] {
            let error = try #require(throws: DashboardError.self) {
                try DashboardConfiguration(address: address, certificate: certificate)
            }
            #expect(error.message.contains("needs \(missing)"))
        }
        _ = try DashboardConfiguration(address: try DashboardAddress("127.0.0.1:0"))
    }

    @Test func filesThatAreNotThereAreNamed() throws {
        let address = try DashboardAddress("127.0.0.1:0")
        let error = try #require(throws: DashboardError.self) {
            try Dashboard(try DashboardConfiguration(address: address, certificate: "/no/cert.pem"))
        }
        #expect(error.code == .files && error.message.contains("/no/cert.pem"))
    }

    @Test func aKeyThatEveryUserCanReadIsRefused() async throws {
        let certificates = try await TestCertificates.made()
        let address = try DashboardAddress("127.0.0.1:0")
        let open = certificates.file("open.key")
        let error = try #require(throws: DashboardError.self) {
            try Dashboard(
                try DashboardConfiguration(
                    address: address, certificate: certificates["good"], key: open))
        }
        #expect(error.code == .files && error.message.contains("run chmod o-rwx \(open)"))
        _ = try Dashboard(
            try DashboardConfiguration(
                address: address, certificate: certificates["good"], key: certificates.key))
    }

    @Test func aPortWhoseOtherLocalhostIsTakenIsRefused() throws {
        let port = Int(try freePort())
        let (own, other) = (
            try DashboardAddress("127.0.0.1:\(port)"), try DashboardAddress("[::1]:\(port)")
        )
        guard let held = try own.holdOtherLocalhost() else { return }
        // Nobody else can listen there.
        #expect(throws: DashboardError.self) { try own.holdOtherLocalhost() }
        #expect(throws: DashboardError.self) { try other.requireFree() }
        withExtendedLifetime(held) {}
    }
}
