internal import MQTTClient

extension MQTTEventLoop {
    /// Runs `body` on an actor whose executor is this loop: at once if the caller is on the loop, where its
    /// next call would otherwise overtake `body`; else soon, in the order of the calls.
    package func perform<Owner: Actor>(
        on actor: Owner, _ body: @escaping @Sendable (isolated Owner) -> Void
    ) {
        guard !isCurrent else { return actor.assumeIsolated { body($0) } }
        execute { [weak actor] in
            actor?.assumeIsolated { body($0) }
        }
    }
}
