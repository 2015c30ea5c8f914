import DeviceControl

/// An exhaustive search through the worlds of a scenario, worlds with fewer faults first.
struct ModelSearch {
    /// What a search came to.
    struct Result: Sendable {
        var states = 0
        var transitions = 0
        /// Worlds in which nothing but a fault can happen any more.
        var ends = 0
        /// The way to the first broken rule; `nil` if none was broken.
        var counterexample: String?
        /// Whether the limit of states stopped the search.
        var isCutShort = false
    }

    private struct Node {
        let world: ModelWorld
        let parent: Int
        let event: ModelEvent?
    }

    private let scenario: ModelScenario
    private let faults: Int
    private let limit: Int
    private var nodes: [Node] = []
    private var known: Set<ModelKey> = []
    private var result = Result()

    /// Explores every world that is reached with at most so many faults.
    /// - Parameter limit: the most states.
    static func run(_ scenario: ModelScenario, faults: Int, limit: Int = .max) -> Result {
        var search = ModelSearch(scenario: scenario, faults: faults, limit: limit)
        search.explore()
        return search.result
    }

    private init(scenario: ModelScenario, faults: Int, limit: Int) {
        self.scenario = scenario
        self.faults = faults
        self.limit = limit
    }

    private mutating func explore() {
        var layers: [[Int]] = Array(repeating: [], count: faults + 2)
        visit(ModelWorld(scenario), from: -1, by: nil, &layers[0])
        for layer in 0...faults {
            var place = 0
            while place < layers[layer].count, result.counterexample == nil {
                let node = layers[layer][place]
                place += 1
                expand(node, layer, &layers)
            }
        }
        result.states = known.count
    }

    private mutating func expand(_ node: Int, _ layer: Int, _ layers: inout [[Int]]) {
        let world = nodes[node].world
        let events = world.events
        if events.allSatisfy(\.isFault) { end(world, at: node) }
        for event in events where layer < faults || !event.isFault {
            guard known.count < limit else {
                result.isCutShort = true
                return
            }
            result.transitions += 1
            visit(
                world.after(event), from: node, by: event, &layers[layer + (event.isFault ? 1 : 0)])
            if result.counterexample != nil { return }
        }
    }

    private mutating func visit(
        _ world: ModelWorld, from parent: Int, by event: ModelEvent?, _ layer: inout [Int]
    ) {
        guard known.insert(ModelKey(world)).inserted || world.violation != nil else { return }
        nodes.append(Node(world: world, parent: parent, event: event))
        layer.append(nodes.count - 1)
        if let violation = world.violation { explain(violation, at: nodes.count - 1) }
    }

    private mutating func end(_ world: ModelWorld, at node: Int) {
        result.ends += 1
        var world = world
        world.checkEnd()
        if let violation = world.violation { explain(violation, at: node) }
    }

    private mutating func explain(_ violation: String, at node: Int) {
        var steps: [(ModelEvent, ModelWorld)] = []
        var place = node
        while place >= 0, let event = nodes[place].event {
            steps.append((event, nodes[place].world))
            place = nodes[place].parent
        }
        result.counterexample = ModelTrace(scenario, violation, steps.reversed()).description
    }
}
