internal import DeviceMessages

/// The callers that wait for commands.
struct CommandWaits {
    private var slots: [CommandID: [WaitSlot]] = [:]
    private var held: Set<CommandID> = []

    mutating func add(_ slot: WaitSlot, for id: CommandID) { slots[id, default: []].append(slot) }

    mutating func remove(_ slot: WaitSlot, for id: CommandID) {
        slots[id]?.removeAll { $0 === slot }
        if slots[id]?.isEmpty == true { slots[id] = nil }
    }

    /// Somebody is about to be told of commands.
    mutating func hold(_ ids: [CommandID]) { held.formUnion(ids) }

    /// Whoever was about to be told was told.
    mutating func release(_ ids: [CommandID]) { held.subtract(ids) }

    /// Whether somebody is about to be told of a command.
    func hold(_ id: CommandID) -> Bool { held.contains(id) }

    /// Whether somebody waits for a command.
    func contain(_ id: CommandID) -> Bool { slots[id] != nil }

    /// Ends the waits for a command that have reached their goal. Their callers remove them.
    func endReached(by lifecycle: CommandLifecycle, of id: CommandID) {
        for slot in slots[id] ?? [] where slot.goal.isReached(by: lifecycle) { slot.end(.reached) }
    }

    /// The same by the record of a command that another process sends.
    func endReached(by record: CommandRecord) {
        for slot in slots[record.id] ?? []
        where slot.goal.isReached(by: record.progress, of: record.intent) {
            slot.end(.reached)
        }
    }

    /// Ends the waits for a command that nobody sends.
    func giveUp(_ id: CommandID) {
        for slot in slots[id] ?? [] { slot.end(.timedOut) }
    }

    /// Ends every wait for a command that is not followed any more.
    func end(_ id: CommandID) {
        for slot in slots[id] ?? [] { slot.end(.reached) }
    }

    /// Ends every wait.
    func endAll() {
        for slot in slots.values.joined() { slot.end(.stopped) }
    }
}
