/// Filters by their levels: those that match a topic, or share one with another filter, are found at the
/// cost of what lies on the way to them, however many there are. A value; what it holds is the owner's.
struct TopicFilterTree<Value: Equatable> {
    private struct Node {
        var values: [Value] = []
        /// By the next level, where in ``nodes`` they are.
        var children: [TopicLevel: Int] = [:]

        var isEmpty: Bool { values.isEmpty && children.isEmpty }
    }

    /// The first one is the root. A filter may have 65,536 levels, too many for nodes that hold nodes.
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

    /// What is held under the filters that match the topic (MQTT 5, section 4.7).
    func values(for topic: MQTTTopic) -> [Value] {
        values(on: TopicLevels(topic.rawValue.utf8[...]))
    }

    /// What is held under the filters that share a topic with this one. Their groups play no part.
    func values(overlapping filter: MQTTTopicFilter) -> [Value] {
        values(on: TopicLevels(filter.pattern))
    }

    /// Levels of a topic find what those of a filter without wildcards do.
    private func values(on levels: TopicLevels) -> [Value] {
        var found: [Value] = []
        var ways = [(place: 0, levels: levels)]
        while let (place, levels) = ways.popLast() {
            let node = nodes[place]
            var behind = levels
            switch behind.next() {
            case nil:
                found += node.values
                // "a/#" also matches its parent "a".
                found += values(below: node, .rest)
            case .rest:
                found += node.values
                for (level, child) in node.children where !(place == 0 && level.isReserved) {
                    found += allValues(from: child)
                }
            case .any:
                for (level, child) in node.children where !(place == 0 && level.isReserved) {
                    if level == .rest {
                        found += nodes[child].values
                    } else {
                        ways.append((child, behind))
                    }
                }
            case let level?:
                if let child = node.children[level] { ways.append((child, behind)) }
                // Wildcards in front leave out the topics of the broker's own.
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
    /// Nil behind the last one, which may be empty.
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

/// One level, by its bytes: strings are equal to others that the broker tells apart.
private struct TopicLevel: Hashable {
    let bytes: Substring.UTF8View

    static let any = Self(bytes: "+".utf8[...])
    static let rest = Self(bytes: "#".utf8[...])

    /// Whether topics that begin with it are the broker's own.
    var isReserved: Bool { bytes.first == UInt8(ascii: "$") }

    static func == (left: Self, right: Self) -> Bool { left.bytes.elementsEqual(right.bytes) }

    func hash(into hasher: inout Hasher) {
        for byte in bytes { hasher.combine(byte) }
    }
}
