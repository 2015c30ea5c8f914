internal import DequeModule

/// How many sends or questions of a channel are under way, and who waits for one to end; first come,
/// first served. A device has one send of a lane and one question in it at a time, so none holds up the
/// others.
struct SendSlots {
    /// How many of either one channel has under way at once. After an outage a whole fleet's commands
    /// are due together; the broker gets them a little at a time.
    static let limit = 256

    private var taken = 0
    private var waiting: Deque<CheckedContinuation<Void, Never>> = []

    /// Takes a slot if one is free.
    mutating func takeFree() -> Bool {
        guard taken < Self.limit else { return false }
        taken += 1
        return true
    }

    /// Lines up for the next slot that is given back.
    mutating func lineUp(_ caller: CheckedContinuation<Void, Never>) { waiting.append(caller) }

    /// Gives a slot to the next in line, or frees it.
    mutating func giveBack() {
        if let next = waiting.popFirst() { next.resume() } else { taken -= 1 }
    }
}
