import DeviceControl

/// The way to a broken rule, for people.
struct ModelTrace: CustomStringConvertible {
    let description: String

    /// - Parameter steps: each event with the world after it.
    init(_ scenario: ModelScenario, _ violation: String, _ steps: [(ModelEvent, ModelWorld)]) {
        let lines = steps.enumerated().map { number, step in
            "  \(number + 1). \(step.0)\(Self.states(in: step.1))"
        }
        description = (["\(scenario.commands): \(violation)"] + lines).joined(separator: "\n")
    }

    /// Where the commands stand in the ledger.
    private static func states(in world: ModelWorld) -> String {
        let states = world.ledger.compactMap { $0?.state.rawValue }
        return states.isEmpty ? "" : " [\(states.joined(separator: ", "))]"
    }
}
