import Alink
import Testing

@Suite struct DigestTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func base64IsThatOfRFC4648(_ text: String, _ base64: String) {
        #expect(Array(text.utf8).base64 == base64)
    }

    @Test(arguments: [
        (Digest.Algorithm.md5, "xjdf9gBthHsNshNT/EvCLg=="),
        (.sha1, "VM/xCKc0UcDOkD3sernoszQwrHM="),
        (.sha256, "f6ZL6qZ6KS9Qu7Sqrzqn+K4TfDTaWbQdmGKo4dBK29U="),
    ])
    func codesAreThoseOfTheReference(_ algorithm: Digest.Algorithm, _ base64: String) {
        let message = Array("authId=testid&timestamp=1735786000000".utf8)
        let code = Digest.hmac(message, key: Array("testsecret".utf8), algorithm)
        #expect(code.base64 == base64)
    }
}
