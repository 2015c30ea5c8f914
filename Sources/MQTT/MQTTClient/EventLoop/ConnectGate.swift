private import DequeModule

/// Limits how many connection attempts run at once; the others wait in order. A broker's listen backlog is
/// about 100, and exceeding it costs half a second per lost SYN.
struct ConnectGate<Member> {
    private let capacity: Int
    private var running = 0
    private var waiting: Deque<Member> = []

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// True if the member may go at once; otherwise it waits for ``leave()``. One that does not wait goes
    /// beyond the capacity.
    mutating func enter(_ member: Member, waiting mayWait: Bool = true) -> Bool {
        guard running < capacity || !mayWait else {
            waiting.append(member)
            return false
        }
        running += 1
        return true
    }

    /// An attempt has ended. The returned member, if any, may go in its place, or must leave in turn.
    mutating func leave() -> Member? {
        if running <= capacity, let next = waiting.popFirst() { return next }
        running -= 1
        return nil
    }
}
