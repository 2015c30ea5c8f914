internal import Synchronization

/// A number of messages.
final class MessageCount: Sendable {
    private let count = Atomic(0)

    /// The number.
    var value: Int { count.load(ordering: .relaxed) }

    /// One more has come.
    func add() { count.add(1, ordering: .relaxed) }
}
