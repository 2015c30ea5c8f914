import TestSupport
import Testing

@testable import MQTTClient

/// Which filters a topic, or another filter, finds.
@Suite struct TopicFilterTreeTests {
    @Test(arguments: [
        ("a/b", "a/b"), ("a/+", "a/b"), ("a/+", "+/b"), ("#", "a"), ("#", "+/+"), ("a/#", "a"),
        ("a/#", "a/b/c"), ("a/#", "+"), ("a/+/c", "a/b/#"), ("$share/g/a", "a"),
        ("$share/g/a/+", "$share/h/a/b"), ("$SYS/#", "$SYS/+"), ("+/+", "/b"), ("a/+", "a/"),
    ])
    func overlapping(filter: String, other: String) throws {
        #expect(try Self.overlap(filter, other))
        #expect(try Self.overlap(other, filter))
    }

    @Test(arguments: [
        ("a", "b"), ("a/+", "a"), ("a/+", "a/b/c"), ("a/#", "b/#"), ("#", "$SYS/x"),
        ("+/x", "$SYS/x"), ("a/+/c", "a/b/d"), ("a/b", "a/b/"), ("+", "/a"),
    ])
    func notOverlapping(filter: String, other: String) throws {
        #expect(try !Self.overlap(filter, other))
        #expect(try !Self.overlap(other, filter))
    }

    /// Every pair of small filters, in one tree, against every small topic.
    @Test func overlapIsACommonTopic() throws {
        let filters = try Self.smallFilters()
        let tree = Self.tree(filters)
        // The empty topic counts, although nobody can publish to it.
        let topics = Self.paths(Self.names, depth: 3).map { MQTTTopic(unchecked: $0) }
        for filter in filters {
            let matched = topics.filter(filter.matches)
            let common = filters.filter { matched.contains(where: $0.matches) }
            #expect(Set(tree.values(.overlapping, filter)) == Set(common), "\(filter)")
        }
    }

    @Test(arguments: [
        ("a/+", "a/b"), ("+/b", "a/b"), ("+/+", "a/+"), ("+/+", "+/b"), ("a/+", "a/"), ("a/#", "a"),
        ("a/#", "a/b/c"), ("a/#", "a/+/c"), ("a/#", "a/b/#"), ("#", "a/b"), ("#", "+/#"),
        ("$SYS/#", "$SYS/a"), ("a", "a"),
    ])
    func covering(filter: String, other: String) throws {
        #expect(try Self.covers(filter, other))
    }

    @Test(arguments: [
        ("a/b", "a/+"), ("+/b", "a/c"), ("a/+", "+/b"), ("a/+", "a/b/c"), ("a/+", "a"),
        ("a/+", "a/#"),
        ("+/#", "#"), ("a/b/#", "a/#"), ("a/#", "b/#"), ("a/#", "b"), ("#", "$SYS/a"),
        ("+/a", "$SYS/a"),
    ])
    func notCovering(filter: String, other: String) throws {
        #expect(try !Self.covers(filter, other))
    }

    /// Every pair of small filters: who covers another matches every topic of it. The converse does not hold
    /// for "+/#", which matches what "#" does.
    @Test func whatCoversMatchesEveryTopic() throws {
        let filters = try Self.smallFilters()
        let tree = Self.tree(filters)
        let topics = Self.paths(Self.names, depth: 4).map { MQTTTopic(unchecked: $0) }
        for filter in filters {
            let matched = topics.filter(filter.matches)
            let covering = filters.filter { matched.allSatisfy($0.matches) }
            let found = Set(tree.values(.covering, filter))
            #expect(found.isSubset(of: covering), "\(filter)")
            #expect(
                Set(covering).subtracting(found).allSatisfy { $0.rawValue == "+/#" }, "\(filter)")
        }
    }

    @Test func topicsFindTheFiltersThatMatchThem() throws {
        let filters = try Self.smallFilters()
        let tree = Self.tree(filters)
        for topic in Self.paths(Self.names, depth: 3).map(MQTTTopic.init(unchecked:)) {
            let found = tree.values(for: topic)
            #expect(found.count == Set(found).count)
            #expect(Set(found) == Set(filters.filter { $0.matches(topic) }), "\(topic)")
        }
    }

    /// Equal to Swift, and two topics to a broker.
    @Test func levelsAreTheirBytes() throws {
        let tree = Self.tree([try MQTTTopicFilter("\u{E9}/+")])
        #expect(try tree.values(for: MQTTTopic("\u{E9}/a")).count == 1)
        #expect(try tree.values(for: MQTTTopic("e\u{301}/a")).isEmpty)
    }

    @Test func filtersOfManyLevelsAreNotTooDeep() throws {
        let filter = try MQTTTopicFilter(String(repeating: "/", count: 65_535))
        let wild = try MQTTTopicFilter(String(repeating: "+/", count: 32_767) + "#")
        var tree = Self.tree([filter, wild])
        let matching = tree.values(for: MQTTTopic(unchecked: filter.rawValue)).count
        #expect(matching == 2)
        let overlapping = tree.values(.overlapping, wild).count
        #expect(overlapping == 2)
        for each in [filter, wild] { tree.remove(each, under: each) }
        // The tree itself would fill the report of a failure.
        let isEmpty = tree.isEmpty
        #expect(isEmpty)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func whatIsTakenOutIsNotFound(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let filters = try Self.smallFilters()
        let topics = Self.paths(Self.names, depth: 3).map(MQTTTopic.init(unchecked:))
        var tree = TopicFilterTree<MQTTTopicFilter>()
        var held: Set<MQTTTopicFilter> = []
        for _ in 0..<200 {
            guard let filter = filters.randomElement(using: &generator),
                let topic = topics.randomElement(using: &generator)
            else { continue }
            if held.remove(filter) != nil {
                tree.remove(filter, under: filter)
            } else {
                held.insert(filter)
                tree.insert(filter, under: filter)
            }
            #expect(Set(tree.values(for: topic)) == held.filter { $0.matches(topic) })
        }
        for filter in held { tree.remove(filter, under: filter) }
        let isEmpty = tree.isEmpty
        #expect(isEmpty)
    }

    // MARK: Material

    private static let names = ["", "a", "$s"]

    private static func smallFilters() throws -> [MQTTTopicFilter] {
        let deep = paths(names + ["+"], depth: 1).map { $0 + "/#" }
        return try (paths(names + ["+"], depth: 2) + deep + ["#"])
            .filter { !$0.isEmpty }.map { try MQTTTopicFilter($0) }
    }

    private static func tree(_ filters: [MQTTTopicFilter]) -> TopicFilterTree<MQTTTopicFilter> {
        var tree = TopicFilterTree<MQTTTopicFilter>()
        for filter in filters { tree.insert(filter, under: filter) }
        return tree
    }

    private static func overlap(_ filter: String, _ other: String) throws -> Bool {
        let filter = try MQTTTopicFilter(filter)
        return try !tree([filter]).values(.overlapping, MQTTTopicFilter(other)).isEmpty
    }

    private static func covers(_ filter: String, _ other: String) throws -> Bool {
        try !tree([MQTTTopicFilter(filter)]).values(.covering, MQTTTopicFilter(other)).isEmpty
    }

    private static func paths(_ names: [String], depth: Int) -> [String] {
        guard depth > 1 else { return names }
        let shorter = paths(names, depth: depth - 1)
        return names + names.flatMap { name in shorter.map { name + "/" + $0 } }
    }
}
