import TestSupport
import Testing

@testable import MQTTClient

/// What a TLS connection offers and accepts.
@Suite(.timeLimit(.minutes(1)))
struct ClientHelloTests {
    /// The suites that AWS IoT and most brokers prefer: TLS 1.3's two, and ECDHE with AES-GCM.
    private static let wanted: Set<Int> = [0x1301, 0x1302, 0xC02B, 0xC02C, 0xC02F, 0xC030]
    /// Without encryption, without authentication, with RC4, DES, 3DES or MD5 (RFC 5246, appendix A.5;
    /// RFC 8422, section 6).
    private static let unsafe = Set(0x0000...0x001B).union([
        0x0034, 0x003A, 0x003B, 0x0046, 0x006C, 0x006D, 0x0089, 0x00A6, 0x00A7, 0x00BF,
        0xC001, 0xC002, 0xC003, 0xC006, 0xC007, 0xC008, 0xC00B, 0xC00C, 0xC00D, 0xC010, 0xC011,
        0xC012, 0xC015, 0xC016, 0xC017, 0xC018, 0xC019,
    ])

    @Test func safeSuitesAreOfferedAndNoOthers() async throws {
        let certificates = try await TestCertificates.made()
        let (suites, sink) = AsyncStream.makeStream(of: [Int].self)
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .tls(broker.port, certificates))
                var iterator = suites.makeAsyncIterator()
                let offered = Set(try #require(await iterator.next()))
                #expect(offered.isSuperset(of: Self.wanted))
                #expect(offered.isDisjoint(with: Self.unsafe))
                await owner.drop()
            }
        } broker: { broker in
            sink.yield(try Self.suites(of: broker.accept()))
        }
    }

    @Test func aLargeCertificateIsBelieved() async throws {
        let certificates = try await TestCertificates.made()
        try await withTLSPeer(certificates, certificate: "large") { peer in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .tls(peer.port, certificates, serverName: "localhost"))
                #expect(await peer.waits(for: connectMark))
                peer.send([0x20, 0x03, 0x00, 0x00, 0x00])
                _ = try await events.connected()
                await owner.drop()
            }
        }
    }

    /// The cipher suites of the ClientHello that a client sends (RFC 8446, section 4.1.2).
    private static func suites(of peer: FakeBrokerPeer) throws -> [Int] {
        let header = try peer.read(bytes: 5)
        guard header[0] == 22 else { throw TestSupportError("no handshake record") }
        let hello = try peer.read(bytes: Int(header[3]) << 8 | Int(header[4]))
        // Type and length, version, random.
        let session = 4 + 2 + 32
        guard hello.first == 1, hello.count > session else { throw TestSupportError("no hello") }
        let length = session + 1 + Int(hello[session])
        guard hello.count > length + 1 else { throw TestSupportError("no suites") }
        let count = (Int(hello[length]) << 8 | Int(hello[length + 1])) / 2
        guard hello.count >= length + 2 + 2 * count else { throw TestSupportError("too short") }
        return (0..<count).map { index in
            let offset = length + 2 + 2 * index
            return Int(hello[offset]) << 8 | Int(hello[offset + 1])
        }
    }
}
