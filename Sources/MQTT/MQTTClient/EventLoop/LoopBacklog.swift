/// What a loop has to do before it waits for events.
struct LoopBacklog {
    /// Work that was scheduled on the loop's own thread.
    var local: [LoopWork] = []
    /// Connections with queued packets.
    var dirty = Backlog<MQTTConnectionDriver>()
    /// What follows the call that asked for it.
    var deferred = Backlog<() -> Void>()

    var isEmpty: Bool { local.isEmpty && deferred.isEmpty && dirty.isEmpty }
}
