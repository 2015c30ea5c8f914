import DeviceDomain
import DeviceMessages

/// The normal lane of a device: one action that runs, and those that wait behind it (PROTOCOL
/// section 3).
struct ActionLane: Hashable, Sendable {
    /// An action in the lane.
    struct Item: Hashable, Sendable {
        /// The command.
        let command: CommandKey
        /// What it asks for.
        let request: BehaviourRequest
        /// It must have started by then (wire clock).
        let expiresAt: Timestamp
        /// When its next progress is due (monotonic clock).
        var nextProgress: Duration
    }

    /// The most actions that wait.
    static let capacity = 16

    /// The action that runs.
    var running: Item?
    /// The actions that wait, the next one first.
    private(set) var waiting: [Item] = []

    /// Whether no further action may wait.
    var isFull: Bool { waiting.count >= Self.capacity }

    /// Everything in the lane, the running action first.
    var items: [Item] { (running.map { [$0] } ?? []) + waiting }

    /// What a new action would wait behind, for people; `nil` where it would not wait.
    var obstacle: String? {
        guard let first = running?.request.name.rawValue else { return nil }
        switch waiting.count {
        case 0: return first
        case 1: return "\(first) and \(waiting[0].request.name.rawValue)"
        default: return "\(first) and \(waiting.count) others"
        }
    }

    /// Lets an action wait behind the others.
    mutating func enqueue(_ item: Item) { waiting.append(item) }

    /// Takes out the next action, if one waits.
    mutating func takeNext() -> Item? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Takes a waiting action out of the lane.
    /// - Returns: whether it was waiting.
    mutating func withdraw(_ command: CommandKey) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.command == command }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Takes out the waiting actions whose start time has passed.
    mutating func takeExpired(at wire: Timestamp) -> [Item] {
        let expired = waiting.filter { $0.expiresAt < wire }
        if !expired.isEmpty { waiting.removeAll { $0.expiresAt < wire } }
        return expired
    }

    /// Takes out everything that waits.
    mutating func takeWaiting() -> [Item] {
        defer { waiting = [] }
        return waiting
    }

    /// Sets when the next progress of every action that is due by `now` comes.
    /// - Returns: the actions that were due.
    mutating func takeDueProgress(at now: Duration, next: Duration) -> [Item] {
        var due: [Item] = []
        if let item = running, item.nextProgress <= now {
            due.append(item)
            running?.nextProgress = next
        }
        for index in waiting.indices where waiting[index].nextProgress <= now {
            due.append(waiting[index])
            waiting[index].nextProgress = next
        }
        return due
    }
}
