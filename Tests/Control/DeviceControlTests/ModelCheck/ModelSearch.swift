import DeviceControl

/// An exhaustive search through the worlds of a scenario, depth first, so that the worlds on one path are in
/// memory and no others. Where the number of faults is limited it goes round by round with one more fault.
///
/// Of a world that was seen only 64 bits of the hash of its key are kept. Two worlds with equal ones would be
/// taken for one; among n worlds that happens with probability n²/2⁶⁵ (birthday bound), 1 in 90,000 for
/// 20 million. The hash differs from run to run.
struct ModelSearch {
    /// What a search came to.
    struct Result: Sendable {
        var states = 0
        var transitions = 0
        /// Worlds in which nothing but a fault can happen any more.
        var ends = 0
        /// The way to the first broken rule; `nil` if none was broken.
        var counterexample: String?
    }

    /// A world on the path to the present one, and what is still to be tried in it.
    private struct Step {
        let world: ModelWorld
        /// What led to it; `nil` for the first world.
        let event: ModelEvent?
        let faults: Int
        var untried: [ModelEvent]
    }

    /// What is known of a world that was seen.
    private struct Visit {
        /// The fewest faults that lead to it.
        let faults: UInt8
        /// The last round in which it was expanded.
        var round: UInt8
    }

    private let scenario: ModelScenario
    /// What a fault counts: nothing where there may be any number of them.
    private let priceOfFault: Int
    private var round = 0
    private var path: [Step] = []
    /// By the hash of a world's key.
    private var visits: [Int: Visit] = [:]
    private var result = Result()

    /// Explores every world that is reached with at most so many faults. A counterexample has as few of them
    /// as possible.
    /// - Parameter faults: `nil` for any number; then there is one round.
    static func run(_ scenario: ModelScenario, faults: Int?) -> Result {
        var search = ModelSearch(scenario: scenario, priceOfFault: faults == nil ? 0 : 1)
        let rounds = faults.map { 0...$0 } ?? 1...1
        for round in rounds where search.result.counterexample == nil { search.explore(round) }
        search.result.states = search.visits.count
        return search.result
    }

    private init(scenario: ModelScenario, priceOfFault: Int) {
        self.scenario = scenario
        self.priceOfFault = priceOfFault
    }

    private mutating func explore(_ round: Int) {
        self.round = round
        result = Result()
        visit(ModelWorld(scenario), by: nil, faults: 0)
        while result.counterexample == nil, let last = path.indices.last {
            guard let event = path[last].untried.popLast() else {
                path.removeLast()
                continue
            }
            result.transitions += 1
            visit(
                path[last].world.after(event), by: event,
                faults: path[last].faults + (event.isFault ? priceOfFault : 0))
        }
    }

    private mutating func visit(_ world: ModelWorld, by event: ModelEvent?, faults: Int) {
        var step = Step(world: world, event: event, faults: faults, untried: [])
        if let violation = world.violation { return explain(violation, at: step) }
        guard isToBeExpanded(world, faults) else { return }
        let events = world.events
        if world.isAtEnd(with: events) { end(at: step) }
        // The last one is tried first.
        step.untried = events.reversed().filter { faults < round || !$0.isFault }
        path.append(step)
    }

    /// Once in each round, at the end of a path with the fewest faults: all worlds with fewer faults than the
    /// round has are known from the rounds before.
    private mutating func isToBeExpanded(_ world: ModelWorld, _ faults: Int) -> Bool {
        let key = ModelKey(world).hashValue
        guard let visit = visits[key] else {
            visits[key] = Visit(faults: UInt8(faults), round: UInt8(round))
            return true
        }
        guard visit.faults == faults, visit.round < round else { return false }
        visits[key]?.round = UInt8(round)
        return true
    }

    private mutating func end(at step: Step) {
        result.ends += 1
        var world = step.world
        world.checkEnd()
        if let violation = world.violation { explain(violation, at: step) }
    }

    private mutating func explain(_ violation: String, at last: Step) {
        let steps = (path + [last]).compactMap { step in step.event.map { ($0, step.world) } }
        result.counterexample = ModelTrace(scenario, violation, steps).description
    }
}
