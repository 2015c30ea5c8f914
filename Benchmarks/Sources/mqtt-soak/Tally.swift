import Synchronization

/// What the clients have achieved so far.
final class Tally: Sendable {
    struct Counts {
        var connected = 0
        var reconnects = 0
        var published = 0
        var failed = 0
        var received = 0
        var dropped = 0
        var shortLived = 0
    }

    private let counts = Mutex(Counts())

    var now: Counts { counts.withLock { $0 } }

    func add(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }
}
