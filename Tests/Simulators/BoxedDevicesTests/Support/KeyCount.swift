import Synchronization

/// Counts the keys that a device has made.
final class KeyCount: Sendable {
    private let made = Mutex(0)
    var count: Int { made.withLock { $0 } }
    func add() { made.withLock { $0 += 1 } }
}
