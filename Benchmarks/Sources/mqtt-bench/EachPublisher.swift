import MQTTClient

/// Publishes from the global pool: many tasks, each of which awaits every one of its messages.
struct EachPublisher {
    private static let tasks = 64

    let client: MQTTClient

    /// Returns how long it took until every message was acknowledged.
    func publish(_ load: Load) async throws -> Duration {
        let clock = ContinuousClock()
        let begun = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.tasks {
                let share =
                    load.count / Self.tasks + (number < load.count % Self.tasks ? 1 : 0)
                group.addTask {
                    for _ in 0..<share { try await client.publish(load.message) }
                }
            }
            try await group.waitForAll()
        }
        return clock.now - begun
    }
}
