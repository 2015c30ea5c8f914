import Basics
import Testing

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("hall.local", "hall.local", nil), ("127.0.0.1:8080", "127.0.0.1", 8080),
            ("[::1]:0", "::1", 0), ("[fe80::1%eth0]", "fe80::1%eth0", nil),
            ("a:65535", "a", 65_535),
        ] as [(String, String, UInt16?)])
    func aHostAndItsPortAreRead(text: String, host: String, port: UInt16?) {
        let place = HostAndPort(text)
        #expect(place?.host == host)
        #expect(place?.port == port)
        #expect(place?.description == text)
    }

    @Test(
        arguments: [
            ("", .noHost), (":80", .noHost), ("[]:80", .noHost), ("[::1", .openBracket),
            ("[::1]80", .textAfterBracket), ("::1", .noHost), ("a:", .port), ("a:+1", .port),
            ("a:65536", .port), ("a:1:2", .port), ("a:x", .port),
        ] as [(String, HostAndPort.Defect)])
    func otherTextsAreRefused(text: String, defect: HostAndPort.Defect) {
        #expect(throws: defect) { try HostAndPort(reading: text) }
        #expect(HostAndPort(text) == nil)
    }

    @Test func onlyAnAddressOfIPv6IsInBrackets() {
        #expect(HostAndPort("127.0.0.1:1")?.address?.isIPv6 == false)
        #expect(HostAndPort("[::1]:1")?.address?.isIPv6 == true)
        #expect(HostAndPort("[127.0.0.1]:1")?.address == nil)
        #expect(HostAndPort("hall.local")?.address == nil)
    }

    @Test(
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("0:0:0:0:0:0:0:1", true), ("10.0.0.1", false), ("::2", false), ("::", false),
            ("::ffff:10.0.0.1", false), ("1::1", false),
        ])
    func addressesOfThisMachineAreKnown(text: String, isLoopback: Bool) {
        #expect(NumericAddress(text)?.isLoopback == isLoopback)
    }

    @Test func everyAddressIsUnspecified() {
        #expect(NumericAddress("0.0.0.0")?.isUnspecified == true)
        #expect(NumericAddress("::")?.isUnspecified == true)
        #expect(NumericAddress("::1")?.isUnspecified == false)
        #expect(NumericAddress("127.1") == nil)
    }
}
