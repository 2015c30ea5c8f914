import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// Which brokers are trusted, and that the others receive no byte of MQTT.
@Suite(.timeLimit(.minutes(2)))
struct TLSHandshakeTests {
    /// A server certificate, the name expected, and what the refusal must say.
    struct Hostile: Sendable, CustomTestStringConvertible {
        var certificate: String
        var serverName: String
        var words: String
        var testDescription: String { "\(certificate) for \(serverName)" }

        init(_ certificate: String, _ serverName: String, _ words: String) {
            self.certificate = certificate
            self.serverName = serverName
            self.words = words
        }
    }

    static let hostile = [
        Hostile("wrong-authority", "localhost", "name the CA that issued it"),
        Hostile("self-signed", "localhost", "name the CA that issued it"),
        Hostile("expired", "localhost", "expired"),
        Hostile("not-yet-valid", "localhost", "not yet valid"),
        Hostile("wrong-host", "localhost", "is for b.example, c.example, not for localhost"),
        Hostile("nul-in-name", "localhost", "is for localhost?.evil.example, not for localhost"),
        Hostile("top-level-wildcard", "broker.localhost", "is for *.localhost, not for"),
        Hostile("top-level-wildcard", "localhost", "is for *.localhost, not for"),
        Hostile("partial-wildcard", "broken.broker.example", "is for bro*.broker.example, not for"),
        Hostile("wildcard", "a.b.broker.example", "is for *.broker.example, not for"),
        Hostile("common-name-only", "localhost", "carries no name"),
        Hostile("common-name-beside-address", "localhost", "is for 127.0.0.1, not for localhost"),
        Hostile("wrong-address", "127.0.0.1", "is for 127.0.0.2, not for 127.0.0.1"),
        Hostile("address-as-name", "127.0.0.1", "not for 127.0.0.1"),
        Hostile("client-only", "localhost", "purpose"),
        Hostile("weak", "localhost", "too weak"),
    ]

    @Test(arguments: hostile)
    func hostileCertificatesAreRefusedBeforeConnect(hostile: Hostile) async throws {
        let certificates = try await TestCertificates.made()
        let weak = hostile.certificate == "weak"
        try await withTLSPeer(
            certificates, certificate: hostile.certificate,
            key: weak ? certificates.file("weak.key") : nil,
            options: weak ? ["-cipher", "ALL:@SECLEVEL=0"] : []
        ) { peer in
            let error = try await refusal(
                .tls(peer.port, certificates, serverName: hostile.serverName))
            #expect(error.code == .tlsFailed)
            #expect(error.isRetriable)
            #expect(error.message.contains(hostile.words), "\(error.message)")
            #expect(await peer.transcript().occurrences(of: connectMark) == 0)
        }
    }

    @Test(arguments: [
        ("good", "localhost"), ("good", "broker.example"), ("good", "BROKER.example."),
        ("good", "127.0.0.1"), ("wildcard", "eu.broker.example"),
        ("common-name-beside-address", "127.0.0.1"),
    ])
    func provenNamesAreBelieved(certificate: String, serverName: String) async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: certificate) { peer in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .tls(peer.port, certificates, serverName: serverName))
                #expect(await peer.waits(for: connectMark))
                peer.send([0x20, 0x03, 0x00, 0x00, 0x00])
                _ = try await events.connected()
                await owner.drop()
            }
        }
    }

    @Test func theHostOfTheURLIsTheNameExpected() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: "wrong-host") { peer in
            let error = try await refusal(.tls(peer.port, certificates, host: "localhost"))
            #expect(error.message.contains("not for localhost"))
        }
    }

    @Test(arguments: [("broker.example", true), ("127.0.0.1", false)])
    func namesAreIndicatedAndAddressesAreNot(name: String, isIndicated: Bool) async throws {
        let certificates = try await TestCertificates.made()
        let options = [
            "-servername", "broker.example", "-cert2", certificates["good"], "-key2",
            certificates.key,
        ]
        try await withTLSPeer(certificates, certificate: "good", options: options) { peer in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .tls(peer.port, certificates, serverName: name))
                #expect(await peer.waits(for: connectMark))
                let extensionLine = Array("Hostname in TLS extension: \"\(name)\"".utf8)
                await owner.close()
                let seen = await peer.transcript().occurrences(of: extensionLine)
                #expect(seen == (isIndicated ? 1 : 0))
            }
        }
    }

    @Test func applicationProtocolsAreOffered() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: "good", options: ["-alpn", "mqtt"]) {
            peer in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var configuration = try MQTTConfiguration.tls(peer.port, certificates)
                configuration.security = .tls(
                    MQTTTLSConfiguration(
                        authorityFile: certificates.authority, applicationProtocols: ["x", "mqtt"]))
                await owner.connect(configuration)
                #expect(await peer.waits(for: Array("ALPN protocols selected: mqtt".utf8)))
                await owner.drop()
            }
        }
    }

    @Test func serversBelowTLS12AreRefused() async throws {
        let certificates = try await TestCertificates.made()
        let options = ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
        try await withTLSPeer(certificates, certificate: "good", options: options) { peer in
            let error = try await refusal(.tls(peer.port, certificates))
            #expect(error.code == .tlsFailed)
            #expect(error.message.contains("TLS 1.2"), "\(error.message)")
            #expect(await peer.transcript().occurrences(of: connectMark) == 0)
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func bothVersionsOfTLSWork(option: String) async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: "good", options: [option]) { peer in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .tls(peer.port, certificates))
                #expect(await peer.waits(for: connectMark))
                await owner.drop()
            }
        }
    }

    @Test func aPortWithoutTLSIsSaidToBeOne() async throws {
        let certificates = try await TestCertificates.made()
        try await withBroker { broker in
            let error = try await refusal(.tls(broker.port, certificates))
            #expect(error.message.contains("speak"), "\(error.message)")
        }
    }

    @Test func aPeerThatHangsUpIsALostConnection() async throws {
        let certificates = try await TestCertificates.made()
        try await withFakeBroker { broker in
            let error = try await refusal(.tls(broker.port, certificates))
            #expect(error.code == .connectionLost)
            #expect(error.message.contains("TLS handshake") || error.systemError != nil)
        } broker: { broker in
            try broker.accept().cut()
        }
    }

    @Test func nobodyListening() async throws {
        let certificates = try await TestCertificates.made()
        let error = try await refusal(.tls(freePort(), certificates))
        #expect(error.code == .unreachable)
    }

    /// The library asks for room to write throughout a handshake; the loop must not listen to it.
    @Test func waitingForAMutePeerCostsNothing() async throws {
        let certificates = try await TestCertificates.made()
        let mute = try LoopbackListener(backlog: 1)
        defer { mute.close() }
        // Of those behind the first two, not even the TCP connection comes about.
        try await withLoop { loop in
            var configuration = try MQTTConfiguration.tls(mute.port, certificates)
            configuration.connectTimeout = .milliseconds(600)
            let houses = (0..<5).map { _ in TestOwner(on: loop) }
            for owner in houses { await owner.connect(configuration) }
            let before = await houses[0].threadTime()
            for owner in houses {
                var events = owner.events.makeAsyncIterator()
                #expect(try await events.disconnected().error.code == .connectTimeout)
            }
            #expect(await houses[0].threadTime() - before < .milliseconds(150))
            for owner in houses { await owner.close() }
        }
    }

    /// The one failure of an attempt; nothing but the end may follow it.
    private func refusal(_ configuration: MQTTConfiguration) async throws -> MQTTError {
        try await withLoop { loop in
            let owner = TestOwner(on: loop)
            var events = owner.events.makeAsyncIterator()
            await owner.connect(configuration)
            let (error, delay) = try await events.disconnected()
            #expect(delay == nil)
            await owner.close()
            guard case .closed = await events.next() else {
                throw TestSupportError("a second event followed the failure")
            }
            return error
        }
    }
}

extension TestOwner {
    /// The CPU time that the loop's thread has used.
    fileprivate func threadTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

}
