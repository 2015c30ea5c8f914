import ArgumentParser
import Testing

@testable import HomeportCLI

@Suite struct WiFiPasswordTests {
    @Test(arguments: [
        ["--qr", "{}", "--ssid", "attic", "--password", "hunter2topsecret"],
        ["--matter", "34970112332", "--channel", "house", "--thread", "hunter2topsecret"],
    ])
    func aSecretInPlaceOfItsNameIsNotPrinted(_ words: [String]) {
        let error = #expect(throws: (any Error).self) {
            try HomeportCommand.parseAsRoot(["provision"] + words)
        }
        let text = error.map { HomeportCommand.fullMessage(for: $0) } ?? ""
        #expect(!text.contains("hunter2"))
        #expect(text.contains("give keychain:NAME, or -"))
    }
}
