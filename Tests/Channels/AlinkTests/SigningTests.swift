import DeviceDomain
import Testing

@testable import Alink

@Suite struct SigningTests {
    private func triple(_ product: String, _ device: String, _ secret: String) throws -> AlinkTriple
    {
        let key = try #require(ProductKey(product))
        return AlinkTriple(
            try #require(ThingName(product: key, device: device)), secret: AlinkSecret(secret))
    }

    /// The login of the vendor's documents, with each method.
    @Test(
        arguments: [
            (.hmacSHA1, "fafd82a3d602b37fb0fa8b7892f24a477f851a14"),
            (.hmacSHA256, "6074a46a91b1ebb2cc4ea42790ad0e80202c9843859fc292e57c4eb19fad9e57"),
            (.hmacMD5, "14b198324fe55e1d3c88f2e705e201ee"),
        ] as [(AlinkSignMethod, String)])
    func theDocumentedLoginIsSignedAlike(method: AlinkSignMethod, signature: String) throws {
        let login = AlinkLogin(
            try triple("pk", "device", "secret"), clientID: "12345", timestamp: "789",
            method: method, isSubscribedByServer: false)
        #expect(login.password == signature)
        #expect(login.username == "device&pk")
        #expect(login.clientID == "12345|securemode=3,signmethod=\(method.rawValue),timestamp=789|")
    }

    /// The login of the vendor's demonstration in C.
    @Test func theClientIDIsMadeOfTheNamesUnlessGiven() throws {
        let login = AlinkLogin(
            try triple("a1X2bEnP82z", "example1", "ga7XA6KdlEeiPXQPpRbAjOZXwG8ydgSe"),
            timestamp: "2524608000000", isEncrypted: true)
        #expect(
            login.password == "b8ce8f1d706dd3c61d13bfd9855def7e321b785084ca9c93f0169a2b46785dd2")
        #expect(
            login.clientID
                == "a1X2bEnP82z.example1|securemode=2,signmethod=hmacsha256,"
                + "timestamp=2524608000000,_ss=1|")
    }

    @Test func withoutATimestampNoneIsSigned() throws {
        let triple = try triple("pk", "device", "secret")
        let login = AlinkLogin(triple, clientID: "12345", timestamp: nil)
        #expect(!login.clientID.contains("timestamp"))
        #expect(
            login.password
                == AlinkSignMethod.hmacSHA256.sign(
                    ["clientId": "12345", "deviceName": "device", "productKey": "pk"],
                    with: triple.secret))
    }

    /// The registration of the vendor's demonstration in C.
    @Test func aRegistrationIsSignedWithTheSecretOfTheProduct() {
        let signature = AlinkSignMethod.hmacSHA256.sign(
            [
                "deviceName": "example1", "productKey": "a1X2bEnP82z",
                "random": "8Ygb7ULYh53B6OA",
            ], with: AlinkSecret("7jluWm1zql7bt8qK"))
        #expect(signature == "37c9d9c4dcab7fc75d65d25547a4e11080e59dd82f3255aafc90d83498480e88")
    }

    @Test func aSecretIsNeverPrinted() throws {
        let triple = try triple("pk", "device", "the-secret")
        #expect(!"\(triple)".contains("the-secret"))
        #expect(!String(reflecting: triple.secret).contains("the-secret"))
    }

    @Test func triplesAreReadLineByLine() throws {
        let triples = try AlinkTriple.read("# all of them\n\npk one s1\r\npk\ttwo  s2\n")
        #expect(triples.map(\.name.description) == ["pk/one", "pk/two"])
        #expect(triples.map(\.secret.text) == ["s1", "s2"])
    }

    @Test(
        arguments: [
            ("pk one", 1), ("pk one s\npk two s more", 2), ("\npk o+e s", 2),
            ("pk one s\npk one s", 2),
        ])
    func aWrongLineIsNamed(text: String, line: Int) {
        let error = #expect(throws: AlinkTripleError.self) { try AlinkTriple.read(text) }
        #expect(error?.line == line)
    }
}
