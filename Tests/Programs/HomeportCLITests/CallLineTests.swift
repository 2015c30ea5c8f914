import Homeport
import LocalServices
import TerminalOutput
import Testing

@testable import HomeportCLI

/// What a call and its server write to each other.
@Suite struct CallLineTests {
    @Test(arguments: [
        CallReply.ready, .results(""), .results("Löwe\n\t\u{1B}[2K\"quoted\"\r\n"), .remarks("\0"),
        .status(0), .status(255), .declined,
    ])
    func aReplyIsReadAsItWasWritten(reply: CallReply) {
        #expect(CallReply(line: reply.line) == reply)
        #expect(!reply.line.contains(UInt8(ascii: "\n")))
    }

    @Test(arguments: [
        "", "{}", "r\0\0\0", #"{"reply":"dance"}"#, #"{"reply":"results","text":7}"#,
        #"{"reply":"status","status":"0"}"#, #"{"reply":"status"}"#,
    ])
    func anUnknownReplyIsDeclined(text: String) {
        #expect(CallReply(line: Array(text.utf8)) == .declined)
    }

    /// A home of ten thousand devices is listed in one piece.
    @Test func aReplyMayBeLongerThanAPayload() {
        let reply = CallReply.results(String(repeating: "sweeper-1 online\n", count: 100_000))
        #expect(CallReply(line: reply.line) == reply)
    }

    @Test func aRequestIsReadBack() throws {
        let words = ["send", "lamp-1", "set-name", "name=Löwe\n\"quoted\""]
        let screen = TerminalCapabilities(
            remarksAreSeen: true, movesCursor: false, usesColour: true,
            size: { TerminalSize(columns: 90, rows: 30) })
        let place = CallPlace(variables: ["HOMEPORT_HOME": "villa"], folder: "/srv")
        let request = try CallRequest(
            line: CallRequest(words: words, at: place, screen: screen).line)
        #expect(request.words == words && request.place == place)
        #expect(request.screen.remarksAreSeen && request.screen.usesColour)
        #expect(!request.screen.movesCursor)
        #expect(request.screen.size() == TerminalSize(columns: 90, rows: 30))
    }

    @Test func aServerKnowsTheWidthOfItsCaller() throws {
        let screen = TerminalCapabilities(
            remarksAreSeen: true, movesCursor: false, usesColour: false, size: { nil },
            remarkColumns: { 30 })
        let line = CallRequest(words: ["devices"], at: .own, screen: screen).line
        #expect(try CallRequest(line: line).screen.remarkColumns() == 30)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"words":"send"}"#, #"{"words":[1]}"#, "{\"words\":[\"a\"]",
    ])
    func rubbishIsNoRequest(text: String) {
        #expect(throws: LocalServicesError.self) { try CallRequest(line: Array(text.utf8)) }
    }
}
