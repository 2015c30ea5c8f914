import Synchronization

/// How often something was called.
final class CallCount: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock(\.self) }
    func add() { count.withLock { $0 += 1 } }
}
