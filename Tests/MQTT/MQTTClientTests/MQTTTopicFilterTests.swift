import Testing

@testable import MQTTClient

@Suite struct MQTTTopicFilterTests {
    @Test(arguments: [
        ("a/b", "a/b"), ("a/+", "a/b"), ("a/+", "a/"), ("+/+", "/b"), ("+", "a"), ("#", "a/b/c"),
        ("a/#", "a"), ("a/#", "a/"), ("a/#", "a/b/c"), ("a/+/c", "a/b/c"), ("/+", "/a"),
        ("+/b/#", "a/b"), ("$SYS/#", "$SYS/broker"), ("$share/g/a/+", "a/b"),
        ("$share/g/#", "a"), ("ä/+", "ä/ö"), ("a//c", "a//c"), ("a/+/c", "a//c"),
    ])
    func matches(filter: String, topic: String) throws {
        #expect(try MQTTTopicFilter(filter).matches(MQTTTopic(topic)))
    }

    @Test(arguments: [
        ("a/b", "a/c"), ("a/b", "a/b/c"), ("a/b/c", "a/b"), ("a/+", "a"), ("a/+", "a/b/c"),
        ("+", "/a"), ("#", "$SYS/broker"), ("+/broker", "$SYS/broker"), ("a/#", "ab"),
        ("$share/g/#", "$SYS/x"), ("$share/g/a", "$share/g/a"), ("A", "a"), ("a", "a/"),
        ("a/", "a"), ("a/+/c", "a/b/d"),
    ])
    func doesNotMatch(filter: String, topic: String) throws {
        #expect(try !MQTTTopicFilter(filter).matches(MQTTTopic(topic)))
    }

    @Test(arguments: [
        "", "a#", "a/#/b", "#/a", "a+", "+a", "a/b+/c", "##", "$share/", "$share/g", "$share/g/",
        "$share//a", "$share/+/a", "a\u{0}b", "a\u{7}", "a\u{FFFF}", "a\u{85}",
    ])
    func malformedFiltersAreRefused(filter: String) {
        #expect(throws: MQTTError.self) { try MQTTTopicFilter(filter) }
    }

    @Test(arguments: ["", "a/+", "a/#", "a\u{0}", "a\n", String(repeating: "a", count: 65_536)])
    func malformedTopicsAreRefused(topic: String) {
        #expect(throws: MQTTError.self) { try MQTTTopic(topic) }
    }

    /// To a broker they are different bytes; Swift's strings are equal.
    @Test func topicsThatOnlyLookAlikeAreNotTheSame() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(try Set([MQTTTopic(composed), MQTTTopic(decomposed)]).count == 2)
        #expect(try Set([MQTTTopicFilter(composed), MQTTTopicFilter(decomposed)]).count == 2)
        #expect(try MQTTTopic(composed) == MQTTTopic(composed))
        #expect(try MQTTTopicFilter("$share/a/b") != MQTTTopicFilter("$share/c/b"))
    }

    @Test func longestTopicIsAccepted() throws {
        let topic = try MQTTTopic(String(repeating: "a", count: 65_535))
        #expect(try MQTTTopicFilter("#").matches(topic))
    }
}
