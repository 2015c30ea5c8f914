import Testing

@testable import Keychain

/// The algorithms, by the vectors of their own specifications.
@Suite struct CryptographyTests {
    /// RFC 5869, test case 3.
    @Test func hkdf() {
        let key = Cryptography.hkdf(Secret([UInt8](repeating: 0x0B, count: 22)), info: [])
        #expect(
            key.hexadecimal == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    }

    /// RFC 4231, test case 2.
    @Test func hmac() {
        let code = Cryptography.hmac(
            Array("what do ya want for nothing?".utf8), key: Secret(Array("Jefe".utf8)))
        #expect(
            Secret(code).hexadecimal
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    /// RFC 7914, section 12, third vector: its first 32 bytes.
    @Test func scrypt() throws {
        let key = Cryptography.scrypt(
            Secret(Array("pleaseletmein".utf8)), salt: Array("SodiumChloride".utf8),
            ScryptCost(logN: 14, r: 8, p: 1))
        #expect(
            try #require(key).hexadecimal
                == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    }

    @Test func scryptBeyondItsMemoryIsRefused() {
        let key = Cryptography.scrypt(
            Secret([1]), salt: [1], ScryptCost(logN: 22, r: 32, p: 1))
        #expect(key == nil)
    }

    /// The specification of GCM by McGrew and Viega, test case 16.
    @Test func aes256InGCM() throws {
        let key = Secret(Array(hexadecimal: "feffe9928665731c6d6a8f9467308308") * 2)
        let associated = Array(hexadecimal: "feedfacedeadbeeffeedfacedeadbeefabaddad2")
        var box = SealedBox(
            nonce: Array(hexadecimal: "cafebabefacedbaddecaf888"),
            bytes: Array(
                hexadecimal: """
                    522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
                    8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
                    """),
            tag: Array(hexadecimal: "76fc6ece0f4e1768cddf8853bb2d551b"))
        let secret = try #require(Cryptography.open(box, key: key, for: associated))
        #expect(
            secret.hexadecimal == """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """)
        box.tag[0] ^= 1
        #expect(Cryptography.open(box, key: key, for: associated) == nil)
    }

    @Test func aSecretIsOverwrittenAndNeverShown() {
        let secret = Secret(Array("hidden-word".utf8))
        #expect("\(secret)" == "<redacted>")
        #expect(String(reflecting: secret) == "<redacted>")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("104"), "the first byte")
        #expect(secret == Secret(Array("hidden-word".utf8)))
        #expect(secret != Secret(Array("hidden-worm".utf8)))
    }
}

extension Secret {
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    var hexadecimal: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension [UInt8] {
    init(hexadecimal text: String) {
        let digits = text.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    static func * (bytes: [UInt8], count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in bytes }
    }
}
