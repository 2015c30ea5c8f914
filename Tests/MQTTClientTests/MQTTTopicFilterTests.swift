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

    @Test func longestTopicIsAccepted() throws {
        let topic = try MQTTTopic(String(repeating: "a", count: 65_535))
        #expect(try MQTTTopicFilter("#").matches(topic))
    }

    @Test(arguments: [
        ("a/b", "a/b"), ("a/+", "a/b"), ("a/+", "+/b"), ("#", "a"), ("#", "+/+"), ("a/#", "a"),
        ("a/#", "a/b/c"), ("a/#", "+"), ("a/+/c", "a/b/#"), ("$share/g/a", "a"),
        ("$share/g/a/+", "$share/h/a/b"), ("$SYS/#", "$SYS/+"), ("+/+", "/b"), ("a/+", "a/"),
    ])
    func overlapping(filter: String, other: String) throws {
        #expect(try MQTTTopicFilter(filter).overlaps(MQTTTopicFilter(other)))
        #expect(try MQTTTopicFilter(other).overlaps(MQTTTopicFilter(filter)))
    }

    @Test(arguments: [
        ("a", "b"), ("a/+", "a"), ("a/+", "a/b/c"), ("a/#", "b/#"), ("#", "$SYS/x"),
        ("+/x", "$SYS/x"), ("a/+/c", "a/b/d"), ("a/b", "a/b/"), ("+", "/a"),
    ])
    func notOverlapping(filter: String, other: String) throws {
        #expect(try !MQTTTopicFilter(filter).overlaps(MQTTTopicFilter(other)))
        #expect(try !MQTTTopicFilter(other).overlaps(MQTTTopicFilter(filter)))
    }

    /// Every pair of small filters against every small topic.
    @Test func overlapIsACommonTopic() throws {
        let names = ["", "a", "$s"]
        // The empty topic counts, although nobody can publish to it.
        let topics = Self.paths(names, depth: 3).map { MQTTTopic(unchecked: $0) }
        let deep = Self.paths(names + ["+"], depth: 1).map { $0 + "/#" }
        let filters = try (Self.paths(names + ["+"], depth: 2) + deep + ["#"])
            .filter { !$0.isEmpty }.map { try MQTTTopicFilter($0) }
        for left in filters {
            let matched = topics.filter(left.matches)
            for right in filters {
                #expect(left.overlaps(right) == matched.contains(where: right.matches))
            }
        }
    }

    private static func paths(_ names: [String], depth: Int) -> [String] {
        guard depth > 1 else { return names }
        let shorter = paths(names, depth: depth - 1)
        return names + names.flatMap { name in shorter.map { name + "/" + $0 } }
    }
}
