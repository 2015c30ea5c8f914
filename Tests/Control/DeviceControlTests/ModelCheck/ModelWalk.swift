import TestSupport

/// A random walk through a scenario: many faults, but only one order of events for each seed.
struct ModelWalk {
    /// How many events there are before the faults end.
    private static let wildSteps = 60
    /// How many events are enough to come to an end after that.
    private static let longestEnd = 1_000

    private var world: ModelWorld
    private var random: SeededGenerator
    private var faults: Int
    private var steps: [(ModelEvent, ModelWorld)] = []

    /// Walks to the end of a world.
    /// - Returns: the way to a broken rule, and the worlds on the way.
    static func run(
        _ scenario: ModelScenario, faults: Int, seed: UInt64
    ) -> (trace: String?, worlds: [ModelWorld]) {
        var walk = ModelWalk(
            world: ModelWorld(scenario), random: SeededGenerator(seed: seed), faults: faults)
        return (walk.toTheEnd(), walk.steps.map(\.1))
    }

    private init(world: ModelWorld, random: SeededGenerator, faults: Int) {
        self.world = world
        self.random = random
        self.faults = faults
    }

    private mutating func toTheEnd() -> String? {
        for step in 0..<Self.longestEnd {
            guard let event = choose(isWild: step < Self.wildSteps) else {
                world.checkEnd()
                return trace
            }
            world = world.after(event)
            steps.append((event, world))
            if world.violation != nil { return trace }
        }
        world.breakRule("the world comes to no end")
        return trace
    }

    private mutating func choose(isWild: Bool) -> ModelEvent? {
        let events = world.events
        if isWild, faults > 0, Int.random(in: 0..<5, using: &random) == 0,
            let fault = events.filter(\.isFault).randomElement(using: &random)
        {
            faults -= 1
            return fault
        }
        guard !world.isAtEnd(with: events) else { return nil }
        return events.filter { !$0.isFault }.randomElement(using: &random)
    }

    private var trace: String? {
        world.violation.map { ModelTrace(world.scenario, $0, steps).description }
    }
}
