import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// The parts of TLS that need no peer.
@Suite(.timeLimit(.minutes(1)))
struct TLSValueTests {
    @Test(arguments: [
        ("mqtts://b.example", "mqtts://b.example:8883"), ("mqtts://b:1", "mqtts://b:1"),
        ("mqtts://[::1]", "mqtts://[::1]:8883"), ("mqtt://b", "mqtt://b:1883"),
    ])
    func addressesKeepTheirScheme(url: String, description: String) throws {
        let address = try MQTTBrokerAddress(url: url)
        #expect(address.description == description)
        #expect(address.usesTLS == url.hasPrefix("mqtts"))
        #expect(try MQTTBrokerAddress(url: description) == address)
    }

    @Test func securityFollowsFromTheAddress() throws {
        let id = try MQTTClientID("x")
        let secure = MQTTConfiguration(broker: try .init(url: "mqtts://b"), clientID: id)
        #expect(secure.security == .tls(MQTTTLSConfiguration()))
        let plain = MQTTConfiguration(broker: try .init(url: "mqtt://b"), clientID: id)
        #expect(plain.security == .plaintext)
    }

    @Test func plaintextStaysOnThisMachine() throws {
        let broker = try MQTTBrokerAddress(url: "mqtt://b")
        let mixed = ["192.0.2.1", "127.0.0.9", "::1", "2001:db8::1", "::ffff:127.0.0.1"]
        let local = ["127.0.0.9", "::1", "::ffff:127.0.0.1"]
        #expect(try MQTTSecurity.plaintext.permitted(mixed, of: broker) == local)
        #expect(try MQTTSecurity.plaintextAnywhere.permitted(mixed, of: broker) == mixed)
        #expect(try MQTTSecurity.tls(.init()).permitted(mixed, of: broker) == mixed)
        let error = #expect(throws: MQTTError.self) {
            try MQTTSecurity.plaintext.permitted(["192.0.2.1"], of: broker)
        }
        #expect(error?.code == .insecureConnection)
        #expect(error.map(MQTTDisconnectCause.init) == .final)
    }

    @Test(arguments: [MQTTSecurity.plaintext, .plaintextAnywhere])
    func anAddressThatAsksForTLSGetsNoPlaintext(security: MQTTSecurity) throws {
        let broker = try MQTTBrokerAddress(url: "mqtts://127.0.0.1")
        #expect(throws: MQTTError.self) { try security.permitted(["127.0.0.1"], of: broker) }
    }

    @Test func anUnencryptedConnectionElsewhereEndsAtOnce() async throws {
        try await withLoop { loop in
            let owner = TestOwner(on: loop)
            var events = owner.events.makeAsyncIterator()
            await owner.connect(
                MQTTConfiguration(
                    broker: try MQTTBrokerAddress(host: "192.0.2.1"),
                    clientID: try MQTTClientID("x")))
            let (error, delay) = try await events.disconnected()
            #expect(error.code == .insecureConnection && delay == nil)
            await owner.close()
        }
    }

    // MARK: Files

    @Test func filesThatCannotBeUsedAreNamed() async throws {
        let certificates = try await TestCertificates.made()
        let (good, key) = (certificates["client"], certificates.key)
        let empty = certificates.file("ca.conf")
        let cases: [(MQTTTLSConfiguration, String)] = [
            (.init(authorityFile: "/none.pem"), "CA file /none.pem cannot be read"),
            (.init(authorityFile: "/dev/null"), "not a regular file"),
            (.init(authorityFile: certificates.folder), "not a regular file"),
            (.init(authorityFile: empty), "holds no usable PEM certificate"),
            (.init(certificateFile: good, keyFile: "/none.key"), "key file /none.key cannot"),
            (.init(certificateFile: key, keyFile: key), "holds no usable PEM certificate"),
            (.init(certificateFile: good, keyFile: good), "holds no usable PEM key"),
            (.init(certificateFile: good), "holds no usable PEM key"),
            (.init(keyFile: key), "no certificate file"),
            (
                .init(certificateFile: good, keyFile: certificates.file("other.key")),
                "is not the key of"
            ),
            (
                .init(certificateFile: good, keyFile: certificates.file("new-stranger.key")),
                "is not the key of"
            ),
            (
                .init(certificateFile: good, keyFile: certificates.file("locked.key")),
                "without a password"
            ),
            (
                .init(certificateFile: good, keyFile: certificates.file("open.key")),
                "open to every user"
            ),
            (.init(authorityFile: certificates.file("empty.pem")), "is empty"),
            (.init(serverName: "a\0b"), "NUL"),
            (.init(serverName: ""), "empty"),
            (.init(applicationProtocols: [""]), "1 to 255"),
        ]
        for (configuration, words) in cases {
            let error = #expect(throws: MQTTError.self) {
                try configuration.validate(for: MQTTBrokerAddress(host: "localhost"))
            }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? words)")
            #expect(error?.isRetriable == false)
        }
        try MQTTTLSConfiguration(
            authorityFile: certificates.authority, certificateFile: good, keyFile: key
        ).validate(for: MQTTBrokerAddress(host: "localhost"))
        try MQTTTLSConfiguration().validate(for: MQTTBrokerAddress(host: "localhost"))
        // While the identity is being replaced, or after a program that did so was killed.
        try MQTTTLSConfiguration(
            certificateFile: good, keyFile: certificates.file("new-client.key")
        ).validate(for: MQTTBrokerAddress(host: "localhost"))
    }

    @Test func aConnectionWithUnusableFilesFailsForGood() async throws {
        try await withLoop { loop in
            let owner = TestOwner(on: loop)
            var events = owner.events.makeAsyncIterator()
            var configuration = try MQTTConfiguration.test(1)
            configuration.security = .tls(MQTTTLSConfiguration(authorityFile: "/none.pem"))
            await owner.connect(configuration)
            let (error, delay) = try await events.disconnected()
            #expect(error.code == .tlsConfiguration && delay == nil)
            await owner.close()
        }
    }

    // MARK: Failures

    @Test func withoutAnythingFromTLSTheErrorIsNotOfTLS() {
        let lost = MosquittoResult(code: .connectionLost)
        #expect(MQTTError(lost, refusal: nil, logged: nil, while: "x") == nil)
    }

    @Test(arguments: [
        (
            "OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number",
            "does not speak TLS"
        ),
        ("OpenSSL Error[0]: error:0A00042E:SSL routines::tlsv1 alert protocol version", "TLS 1.2"),
        (
            "OpenSSL Error[0]: error:0A00045C:SSL routines::tlsv13 alert certificate required",
            "of this client"
        ),
        ("OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca", "of this client"),
    ])
    func theLibrarysWordsAreExplained(logged: String, words: String) {
        let error = MQTTError(
            MosquittoResult(code: .tls), refusal: nil, logged: logged, while: "connecting")
        #expect(error?.code == .tlsFailed)
        #expect(error?.message.contains(words) == true)
        #expect(error?.message.contains("OpenSSL Error") == false)
    }

    @Test func repeatedTLSFailuresAreRetriedSlowly() throws {
        var generator = SeededGenerator(seed: 1)
        let policy = MQTTReconnectPolicy(initial: .seconds(1), cap: .seconds(60))
        var backoff = MQTTReconnectBackoff(policy: policy, clientID: "x")
        var delays: [Duration] = []
        for _ in 0..<4 {
            let decision = backoff.decide(
                after: MQTTError(.tlsFailed, "x", isRetriable: true), uptime: nil,
                using: &generator)
            guard case .retry(_, let delay) = decision else { throw TestSupportError("stopped") }
            delays.append(delay)
        }
        #expect(delays[0] <= .seconds(1) && delays[1] <= .seconds(2))
        #expect(delays[2] >= .seconds(60) && delays[3] >= .seconds(60))
    }

    @Test func onlyTheFirstOfManyMakesAContext() {
        var store = TLSContextStore()
        let identity = TLSIdentity(configuration: .init(), serverName: "x")
        let references = (0..<3).map { ConnectionTable.Reference(index: $0, serial: 1) }
        let isFirst = references.map { store.wait($0, for: identity) }
        #expect(isFirst == [true, false, false])
        let waited = store.finish(identity, nil)
        #expect(waited.waiting == references && !waited.isUsable)
        #expect(store[identity] == nil)
        let isFirstAgain = store.wait(references[0], for: identity)
        #expect(isFirstAgain)
    }

    @Test func changedFilesNeedANewContextAndWrongOnesKeepTheOldOne() async throws {
        let certificates = try await TestCertificates.made()
        let folder = try TemporaryFolder()
        func write(_ name: String) throws {
            let text = String(
                decoding: try folder.contents(
                    of: "../\(certificates.folder.split(separator: "/").last ?? "")/\(name).pem"),
                as: UTF8.self)
            try folder.file("client.new", text)
            try #require(rename("\(folder.path)/client.new", "\(folder.path)/client.pem") == 0)
        }
        try write("client")
        let configuration = MQTTTLSConfiguration(
            authorityFile: certificates.authority, certificateFile: "\(folder.path)/client.pem",
            keyFile: certificates.key)
        let identity = TLSIdentity(configuration: configuration, serverName: "x")
        var store = TLSContextStore()
        #expect(!store.isCurrent(identity))
        let first = try TLSContext(identity)
        _ = store.finish(identity, first)
        #expect(store.isCurrent(identity))
        try write("other-client")
        #expect(!store.isCurrent(identity))
        let afterFailure = store.finish(identity, nil)
        #expect(afterFailure.isUsable && store[identity] === first)
        _ = store.finish(identity, try TLSContext(identity))
        #expect(store.isCurrent(identity) && store[identity] !== first)
    }
}
