/// A tree of filters by their levels. Finding the filters that match a topic, or that overlap with another
/// filter or cover it, visits only the branches that can match. A value type, generic over the stored values.
struct TopicFilterTree<Value: Equatable & Sendable>: Sendable {
    private struct Node: Sendable {
        var values: [Value] = []
        /// The indices in ``nodes`` of the child nodes, by level.
        var children: [TopicLevel: Int] = [:]

        var isEmpty: Bool { values.isEmpty && children.isEmpty }
    }

    /// The first one is the root. Nodes refer to each other by index, because a filter may have 65,536 levels,
    /// too many to release nested nodes recursively.
    private var nodes = [Node()]
    private var unused: [Int] = []

    var isEmpty: Bool { nodes[0].isEmpty }

    mutating func insert(_ value: Value, under filter: MQTTTopicFilter) {
        var place = 0
        for level in TopicLevels(filter.pattern) {
            place = nodes[place].children[level] ?? makeChild(of: place, level)
        }
        nodes[place].values.append(value)
    }

    mutating func remove(_ value: Value, under filter: MQTTTopicFilter) {
        var way: [(parent: Int, level: TopicLevel, child: Int)] = []
        var place = 0
        for level in TopicLevels(filter.pattern) {
            guard let child = nodes[place].children[level] else { return }
            way.append((place, level, child))
            place = child
        }
        nodes[place].values.removeAll { $0 == value }
        for step in way.reversed() where nodes[step.child].isEmpty {
            nodes[step.parent].children[step.level] = nil
            unused.append(step.child)
        }
    }

    private mutating func makeChild(of parent: Int, _ level: TopicLevel) -> Int {
        let child = unused.popLast() ?? nodes.count
        if child == nodes.count { nodes.append(Node()) }
        nodes[parent].children[level] = child
        return child
    }

    // MARK: Finding

    /// What the filters in question have to do with another one. Share groups are ignored.
    enum Relation {
        /// A topic can match both.
        case overlapping
        /// They match every topic that the other one matches. Includes the other one itself.
        case covering
    }

    /// The values of the filters that match the topic (MQTT 5, section 4.7).
    func values(for topic: MQTTTopic) -> [Value] {
        values(.covering, TopicLevels(topic.rawValue.utf8[...]))
    }

    /// The values of the filters that are in this relation to another one.
    func values(_ relation: Relation, _ filter: MQTTTopicFilter) -> [Value] {
        values(relation, TopicLevels(filter.pattern))
    }

    /// A topic is treated like a filter without wildcards.
    private func values(_ relation: Relation, _ levels: TopicLevels) -> [Value] {
        var found: [Value] = []
        var ways = [(place: 0, levels: levels)]
        while let (place, levels) = ways.popLast() {
            let node = nodes[place]
            var behind = levels
            switch (behind.next(), relation) {
            case (nil, _):
                found += node.values
                // "a/#" also matches its parent "a".
                found += values(below: node, .rest)
            case (.rest, .covering):
                found += values(below: node, .rest)
            case (.any, .covering):
                if let child = node.children[.any] { ways.append((child, behind)) }
                found += values(below: node, .rest)
            case (.rest, .overlapping):
                found += node.values
                for (level, child) in node.children where !(place == 0 && level.isReserved) {
                    found += allValues(from: child)
                }
            case (.any, .overlapping):
                for (level, child) in node.children where !(place == 0 && level.isReserved) {
                    if level == .rest {
                        found += nodes[child].values
                    } else {
                        ways.append((child, behind))
                    }
                }
            case (let level?, _):
                if let child = node.children[level] { ways.append((child, behind)) }
                // A leading wildcard does not match topics that begin with $.
                guard !(place == 0 && level.isReserved) else { continue }
                if let child = node.children[.any] { ways.append((child, behind)) }
                found += values(below: node, .rest)
            }
        }
        return found
    }

    private func values(below node: Node, _ level: TopicLevel) -> [Value] {
        node.children[level].map { nodes[$0].values } ?? []
    }

    private func allValues(from place: Int) -> [Value] {
        var found: [Value] = []
        var places = [place]
        while let place = places.popLast() {
            found += nodes[place].values
            places += nodes[place].children.values
        }
        return found
    }
}

/// The levels of a topic or a filter, one after the other.
private struct TopicLevels: Sequence, IteratorProtocol {
    /// Nil after the last level, which may be empty.
    private var remainder: Substring.UTF8View?

    init(_ name: Substring.UTF8View) {
        remainder = name
    }

    mutating func next() -> TopicLevel? {
        guard let name = remainder else { return nil }
        guard let slash = name.firstIndex(of: UInt8(ascii: "/")) else {
            remainder = nil
            return TopicLevel(bytes: name)
        }
        remainder = name[name.index(after: slash)...]
        return TopicLevel(bytes: name[..<slash])
    }
}

/// One level, compared by its bytes: Swift strings may be equal although their bytes differ.
private struct TopicLevel: Hashable, Sendable {
    let bytes: Substring.UTF8View

    static let any = Self(bytes: "+".utf8[...])
    static let rest = Self(bytes: "#".utf8[...])

    /// Whether topics that begin with this level are reserved for the broker.
    var isReserved: Bool { bytes.first == UInt8(ascii: "$") }

    static func == (left: Self, right: Self) -> Bool { left.bytes.elementsEqual(right.bytes) }

    func hash(into hasher: inout Hasher) {
        for byte in bytes { hasher.combine(byte) }
    }
}
