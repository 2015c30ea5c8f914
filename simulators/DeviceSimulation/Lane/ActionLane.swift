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

    /// When something is due in the lane next, by the monotonic clock: progress, or the end of a wait.
    func nextDue(at now: DeviceMoment) -> Duration? {
        guard running != nil || !waiting.isEmpty else { return nil }
        let progress = items.map(\.nextProgress).min()
        let expiry = waiting.map(\.expiresAt).min().map { expiresAt in
            now.monotonic + max(expiresAt.since(now.wire), .zero) + .milliseconds(1)
        }
        return earliest(progress, expiry)
    }

    /// What the ack of a command says that is taken up; of an action that has to wait, behind what (PROTOCOL
    /// section 3).
    func acceptance(of sort: CommandSort, admitted admission: ActionAdmission) -> Verdict {
        guard sort == .action, admission == .queued, let obstacle else { return .accepted }
        var verdict = Verdict.accepted
        verdict.message = "waits behind \(obstacle)"
        return verdict
    }

    /// Lets an action wait behind the others.
    mutating func enqueue(_ item: Item) { waiting.append(item) }

    /// Takes out the next action, if one waits and none runs.
    mutating func takeNext() -> Item? {
        guard !waiting.isEmpty, running == nil else { return nil }
        return waiting.removeFirst()
    }

    /// Takes a waiting action out of the lane.
    /// - Returns: whether it was waiting.
    mutating func withdraw(_ command: CommandKey) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.command == command }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Takes out the waiting actions whose start time has passed.
    /// - Returns: how their commands end.
    mutating func takeExpired(at wire: Timestamp) -> [CommandEnding] {
        let expired = waiting.filter { $0.expiresAt < wire }
        if !expired.isEmpty { waiting.removeAll { $0.expiresAt < wire } }
        return expired.map { CommandEnding($0.command, .lateStart) }
    }

    /// Empties the lane because of a command that ends everything in it.
    /// - Parameter verdict: of the running action; those that wait are superseded.
    /// - Returns: how the commands end, the running one first.
    mutating func takeAll(because name: CommandName, ending verdict: Verdict) -> [CommandEnding] {
        defer { self = ActionLane() }
        let superseded = waiting.map { CommandEnding($0.command, .superseded(by: name)) }
        return (running.map { [CommandEnding($0.command, verdict)] } ?? []) + superseded
    }

    /// Takes out the running action if it has ended by itself.
    /// - Returns: how its command ends.
    mutating func takeEnd(in occurrences: [BehaviourOccurrence]) -> CommandEnding? {
        for case .actionEnded(let outcome) in occurrences {
            defer { running = nil }
            return running.map { CommandEnding($0.command, Verdict(outcome)) }
        }
        return nil
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

extension Verdict {
    /// The start time of an action passed while it waited.
    static let lateStart = Verdict(
        stage: .expired, code: .expired, message: "the start time passed while it waited")
}
