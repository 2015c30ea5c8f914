import Testing

@testable import LocalBroker

@Suite struct BrokerAnnouncementTests {
    @Test func whatIsWrittenIsRead() {
        let announcement = BrokerAnnouncement(
            url: "mqtt://127.0.0.1:4711", processID: 42, home: "a \"quoted\\ home\n")
        #expect(BrokerAnnouncement(json: announcement.json) == announcement)
    }

    @Test func spaceOrderAndUnknownMembersDoNotMatter() {
        let text = #" { "more" : null, "home" : "h", "pid" : 7 , "url":"mqtt://x", "n":-3 } "#
        #expect(
            BrokerAnnouncement(json: Array(text.utf8))
                == BrokerAnnouncement(url: "mqtt://x", processID: 7, home: "h"))
    }

    @Test(arguments: [
        "", "{", "{}", "[]", "null",
        #"{"url":"mqtt://x","pid":7}"#,
        #"{"url":"mqtt://x","pid":"7","home":"h"}"#,
        #"{"url":"mqtt://x","pid":7.5,"home":"h"}"#,
        #"{"url":"mqtt://x","pid":07,"home":"h"}"#,
        #"{"url":"mqtt://x","pid":-7,"home":"h"}"#,
        #"{"url":"mqtt://x","pid":99999999999,"home":"h"}"#,
        #"{"url":"http://x","pid":7,"home":"h"}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h","home":"i"}"#,
        #"{"url":"mqtt://x","pid":7,"home":{"a":1}}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h"} {}"#,
        #"{"url":"mqtt://x","pid":7,"home":"h""#,
        #"{"url":"mqtt://x","pid":7,"home":"h",}"#,
        #"{"url":"mqtt://x","pid":7,"home":"\u0041"}"#,
    ])
    func anythingElseIsRefused(text: String) {
        #expect(BrokerAnnouncement(json: Array(text.utf8)) == nil)
    }

    @Test func brokenUTF8IsRefused() {
        let bytes = Array(#"{"url":"mqtt://x","pid":7,"home":""#.utf8) + [0xFF, 0x22, 0x7D]
        #expect(BrokerAnnouncement(json: bytes) == nil)
    }
}
