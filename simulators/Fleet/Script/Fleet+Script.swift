// What the assertions of a scenario ask of the devices of this process.
extension Fleet {
    /// How devices stand with the broker.
    /// - Parameter places: which, by their places in the plan.
    package func connections(of places: [Int]) async -> ConnectionFigures {
        await shard.connections(of: places)
    }

    /// What the broker should retain of devices; without those that were never on it.
    /// - Parameter places: which, by their places in the plan.
    package func retainedViews(of places: [Int]) async -> [RetainedView] {
        await shard.retainedViews(of: places)
    }
}
