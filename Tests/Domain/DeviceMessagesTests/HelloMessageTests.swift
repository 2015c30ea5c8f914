import DeviceMessages
import Testing

@Suite struct HelloMessageTests {
    private func read(nonce: String, spread: String) throws -> HelloMessage {
        try HelloMessage(
            payload: Array("{\"v\":1,\"nonce\":\"\(nonce)\",\"spreadMs\":\(spread)}".utf8))
    }

    @Test func theSpreadIsAtMostAMinute() throws {
        #expect(try read(nonce: "", spread: "0").spread == .zero)
        #expect(try read(nonce: "", spread: "60000").spread == .seconds(60))
        for spread in ["-1", "60001", "0.5", "\"1\"", "null"] {
            #expect(throws: PayloadError.self) { try read(nonce: "", spread: spread) }
        }
    }

    @Test func theNonceHasAtMost64Characters() throws {
        let nonce = String(repeating: "水", count: 64)
        #expect(try read(nonce: nonce, spread: "0").nonce == nonce)
        let error = #expect(throws: PayloadError.self) { try read(nonce: nonce + "a", spread: "0") }
        #expect(error?.code == .outOfRange)
        #expect(error?.path == "nonce")
    }

    @Test func aSpreadIsKeptInWholeMilliseconds() throws {
        let hello = HelloMessage(nonce: "n", spread: .microseconds(1_999))
        #expect(try HelloMessage(payload: hello.payload) == hello)
    }
}
