import Testing

@testable import MatterAdapter

@Suite struct ServerAddressTests {
    @Test(
        arguments: [
            ("ws://hub.local", "ws://hub.local:5580/ws", false),
            ("ws://127.0.0.1:8080/socket", "ws://127.0.0.1:8080/socket", true),
            ("wss://[::1]", "wss://[::1]:5580/ws", true),
            ("ws://localhost:5580/ws", "ws://localhost:5580/ws", true),
            ("wss://hub.example/", "wss://hub.example:5580/", false),
        ])
    func portAndPathAreUsualOnes(url: String, whole: String, isLoopback: Bool) throws {
        let address = try MatterServerAddress(url)
        #expect("\(address)" == whole && address.isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            "http://h", "h:5580", "ws://", "ws://h:0", "ws://h:65536", "ws://u@h", "ws://u:p@h",
            "ws://h/#x", "ws://h h", "ws://[::1", "",
        ])
    func otherTextsAreRefused(url: String) {
        #expect(throws: MatterServerAddress.Invalid.self) { try MatterServerAddress(url) }
    }
}
