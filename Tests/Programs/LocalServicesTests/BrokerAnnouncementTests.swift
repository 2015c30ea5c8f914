import Testing

@testable import LocalServices

@Suite struct BrokerAnnouncementTests {
    @Test func whatIsWrittenIsRead() throws {
        let announcement = BrokerAnnouncement(
            url: "mqtt://127.0.0.1:4711", processID: 42, home: "a \"quoted\\ home\n",
            credentials: BrokerCredentials(username: "u", password: "a \"b\""))
        #expect(try BrokerAnnouncement(json: announcement.json) == announcement)
    }

    @Test func spaceOrderAndUnknownMembersDoNotMatter() throws {
        let text =
            #" { "more" : null, "home" : "h", "pid" : 7 , "url":"mqtt://x", "n":-3, "password":"p", "username" :"u" } "#
        #expect(
            try BrokerAnnouncement(json: Array(text.utf8))
                == BrokerAnnouncement(
                    url: "mqtt://x", processID: 7, home: "h",
                    credentials: BrokerCredentials(username: "u", password: "p")))
    }

    @Test(arguments: [
        "", "{", "{}", "[]", "null",
        #"{"url":"mqtt://x","pid":7,"username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h"}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h","username":"u"}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h","username":"u","password":1}"#,
        #"{"url":"mqtt://x","pid":"7","home":"h","username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":7.5,"home":"h","username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":07,"home":"h","username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":-7,"home":"h","username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":99999999999,"home":"h","username":"u","password":"p"}"#,
        #"{"url":"http://x","pid":7,"home":"h","username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h","home":"i","username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":7,"home":{"a":1},"username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h","username":"u","password":"p"} {}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h","username":"u","password":"p""#,
        #"{"url":"mqtt://x","pid":7,"home":"h","username":"u","password":"p",}"#,
        #"{"url":"mqtt://x","pid":0,"home":"h","username":"u","password":"p"}"#,
        #"{"url":"mqtt://x","pid":7,"home":"\u00","username":"u","password":"p"}"#,
    ])
    func anythingElseIsRefused(text: String) {
        #expect(throws: LocalServicesError.self) {
            try BrokerAnnouncement(json: Array(text.utf8))
        }
    }

    @Test func credentialsPrintRedacted() {
        let credentials = BrokerCredentials(username: "me", password: "hidden-7")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains("hidden-7") && text.contains("redacted"))
        }
    }

    @Test func brokenUTF8IsRefused() {
        let bytes = Array(#"{"url":"mqtt://x","pid":7,"home":""#.utf8) + [0xFF, 0x22, 0x7D]
        #expect(throws: LocalServicesError.self) { try BrokerAnnouncement(json: bytes) }
    }
}
