internal import Basics
internal import Connectivity

/// The changes of a home for one reader.
///
/// They are conflated per device: a slow reader sees every device's newest presence, state and
/// sample, never an old one after a new one, and each event and acknowledgement at most once.
/// Skipped values are counted.
public struct HomeChanges: AsyncSequence, Sendable {
    public typealias Element = HomeChange
    public typealias Failure = Never

    let reader: ChangeReader

    /// Values that were replaced by newer ones before they were read.
    public var skippedCount: Int { reader.counts.skipped }
    /// Events and acknowledgements for which there was no room.
    public var droppedCount: Int { reader.counts.dropped }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Waits for the next change; a second iterator shares them with the first one.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: ChangeReader

        public mutating func next() async -> HomeChange? { await reader.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> HomeChange? {
            await reader.next(isolation: actor)
        }
    }
}

/// The buffer of changes for one reader.
///
/// Invariant: `deinit` takes no lock and runs no callback, because the home may release the last
/// reference while it holds its own lock.
final class ChangeReader: Sendable {
    private struct State {
        var buffer: ChangeBuffer
        var waiter: CheckedContinuation<HomeChange?, Never>?
        var isFinished = false
    }

    /// Events and acknowledgements that wait for a slow reader, at most.
    static let limit = 10_000
    /// About how many bytes they take, at most: 32 MiB.
    static let mostBytes = 32 << 20

    let scope: HomeScope
    private let state: Guarded<State>

    /// - Parameter keepsAll: whether each sample and presence waits as events do.
    init(_ scope: HomeScope, keepsAll: Bool = false) {
        self.scope = scope
        state = Guarded(
            State(
                buffer: ChangeBuffer(
                    limit: Self.limit, mostBytes: Self.mostBytes, keepsAll: keepsAll)))
    }

    var counts: (skipped: Int, dropped: Int) {
        state.withLock { ($0.buffer.skipped, $0.buffer.dropped) }
    }

    /// Puts changes in, in order; those of devices outside the scope are left out.
    func add(_ changes: [HomeChange]) {
        let resumption = state.withLock {
            state -> (CheckedContinuation<HomeChange?, Never>, HomeChange)? in
            guard !state.isFinished else { return nil }
            for change in changes where wants(change) { state.buffer.add(change) }
            guard let waiter = state.waiter, let change = state.buffer.next() else { return nil }
            state.waiter = nil
            return (waiter, change)
        }
        if let (waiter, change) = resumption { waiter.resume(returning: change) }
    }

    private func wants(_ change: HomeChange) -> Bool {
        switch change {
        case .device(let change): scope.contains(change.device)
        case .link: true
        }
    }

    /// Ends the sequence after the buffered changes.
    func finish() {
        let waiter = state.withLock { state -> CheckedContinuation<HomeChange?, Never>? in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// The next change; `nil` at the end, or where the task is cancelled.
    func next(isolation actor: isolated (any Actor)? = #isolation) async -> HomeChange? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            finish()
        }
    }

    private func wait(_ continuation: CheckedContinuation<HomeChange?, Never>) {
        let answer = state.withLock { state -> HomeChange?? in
            if let change = state.buffer.next() { return change }
            if state.isFinished { return .some(nil) }
            precondition(state.waiter == nil, "the changes of a home have one reader at a time")
            state.waiter = continuation
            return nil
        }
        if let answer { continuation.resume(returning: answer) }
    }
}
