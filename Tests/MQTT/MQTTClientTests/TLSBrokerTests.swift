import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// Against a real mosquitto over TLS.
@Suite(.timeLimit(.minutes(2)))
struct TLSBrokerTests {
    @Test(arguments: MQTTProtocolVersion.allCases)
    func messagesComeBackOnBothVersions(version: MQTTProtocolVersion) async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(
                    try .tls(broker.port, certificates, host: "localhost", version: version))
                #expect(try await events.connected().version == version)
                _ = try await owner.subscribe([.test("a/+")]).get()
                for size in [0, 1, 16_384, 200_000] {
                    let text = String(repeating: "x", count: size)
                    let reason = await owner.publish(try .test("a/b", text))
                    #expect(try reason.get() == .success)
                    #expect(try await events.message().payload.count == size)
                }
                let report = await owner.close()
                #expect(report.isDisconnectSent && report.undelivered == 0)
            }
        }
    }

    /// Many packets fit one TLS record, of which the socket says nothing once it is read.
    @Test func aBurstOfSmallMessagesComesThrough() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .tls(broker.port, certificates))
                try await owner.waitUntilConnected()
                _ = try await owner.subscribe([.test("a")]).get()
                for number in 0..<500 {
                    await owner.publish(try .test("a", "\(number)")) { _ in }
                    if number == 100 { try await owner.with { $0.pauseReading() } }
                    if number == 300 { try await owner.with { $0.resumeReading() } }
                }
                for number in 0..<500 {
                    let text = String(
                        decoding: try await owner.nextMessage().payload, as: UTF8.self)
                    #expect(text == "\(number)")
                }
                await owner.close()
            }
        }
    }

    @Test func aClientCertificateIsPresented() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates, "require_certificate true") { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .tls(broker.port, certificates, client: "client"))
                _ = try await events.connected()
                await owner.close()
            }
        }
    }

    @Test(arguments: [nil, "other-client"])
    func withoutTheRightClientCertificateTheBrokerRefuses(client: String?) async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates, "require_certificate true") { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .tls(broker.port, certificates, client: client))
                let error = try await events.disconnected().error
                #expect(error.code == .tlsFailed, "\(error)")
                #expect(error.message.contains("of this client"), "\(error)")
                await owner.close()
            }
        }
    }

    /// With TLS 1.3 the client is done before the broker has seen its certificate: the refusal may come,
    /// and the connection be gone, before CONNECT is written.
    @Test(arguments: [nil, "other-client"])
    func aRefusalIsHeardThoughWritingFails(client: String?) async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates, "require_certificate true") { broker in
            let configuration = try MQTTConfiguration.tls(
                broker.port, certificates, client: client)
            let error = try await onThread { try Self.errorBehindABrokenWrite(configuration) }
            #expect(error.code == .tlsFailed, "\(error)")
            #expect(error.message.contains("of this client"), "\(error)")
        }
    }

    /// Shakes hands, waits until the broker has hung up, and only then writes and reads.
    private static func errorBehindABrokenWrite(
        _ configuration: MQTTConfiguration
    ) throws -> MQTTError {
        let tls = try #require(configuration.security.tls)
        let context = try TLSContext(tls.identity(for: configuration.broker.host))
        let handle = try MosquittoHandle(
            configuration: configuration, clientID: configuration.clientID, cleanStart: true,
            tls: context, buffers: SharedLibraryBuffers())
        _ = handle.connect(
            to: "127.0.0.1", port: configuration.broker.port, configuration: configuration)
        while handle.isHandshaking {
            try becomeReady(try #require(handle.socket), for: POLLIN)
            _ = handle.readOnce()
        }
        try becomeReady(try #require(handle.socket), for: POLLHUP)
        #expect(handle.wantsToWrite)
        #expect(handle.write().isSuccess)
        return handle.failure(handle.readOnce(), while: "connecting")
    }

    @Test func theConnectionReturnsAfterARestart() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                var configuration = try MQTTConfiguration.tls(broker.port, certificates)
                configuration.reconnect = MQTTReconnectPolicy(
                    initial: .milliseconds(20), cap: .milliseconds(100))
                await owner.connect(configuration)
                _ = try await events.connected()
                await broker.kill()
                let (error, delay) = try await events.disconnected()
                #expect(error.code == .connectionLost, "\(error)")
                #expect(delay != nil)
                try await broker.start()
                while case .disconnected(let error, _)? = await events.next() {
                    #expect(error.code != .tlsFailed, "\(error)")
                }
                #expect(try await owner.publish(.test("a")).get().isError == false)
                await owner.close()
            }
        }
    }

    @Test func twoHundredConnectionsShareOneContext() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSBroker(certificates) { broker in
            try await withLoop { loop in
                let houses = (0..<200).map { _ in TestOwner(on: loop) }
                for (number, owner) in houses.enumerated() {
                    await owner.connect(
                        try .tls(broker.port, certificates, id: "client-\(number)"))
                }
                for owner in houses { try await owner.waitUntilConnected() }
                let contexts = await houses[0].contexts()
                #expect(contexts == 1)
                for owner in houses {
                    #expect(try await owner.publish(.test("a")).get().isError == false)
                }
                for owner in houses { await owner.close() }
            }
        }
    }
}

/// Keep-alive over TLS: a broker may ask for an interval shorter than a client may.
@Suite(.timeLimit(.minutes(1)))
struct TLSKeepAliveTests {
    /// The peer reads the ping decrypted, and the silence after it ends the connection.
    @Test func pingsGoThroughTLS() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: "good") { peer in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .tls(peer.port, certificates))
                #expect(await peer.waits(for: connectMark))
                let serverKeepAliveOfOneSecond: [UInt8] = [0x13, 0x00, 0x01]
                peer.send([0x20, 0x06, 0x00, 0x00, 0x03] + serverKeepAliveOfOneSecond)
                #expect(try await events.connected().keepAlive == .seconds(1))
                let pingRequest: [UInt8] = [0xC0, 0x00]
                #expect(await peer.waits(for: pingRequest))
                let (error, _) = try await events.disconnected()
                #expect(error.code == .keepAliveTimeout)
                await owner.close()
            }
        }
    }
}

extension TestOwner {
    /// How many TLS contexts the loop holds.
    func contexts() -> Int { loop.core.tlsContexts.count }
}
