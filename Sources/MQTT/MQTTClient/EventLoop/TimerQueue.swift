private import HeapModule

/// Deadlines in order. Cancelled entries stay until they are due or make up most of the queue.
struct TimerQueue {
    /// The owner of a deadline.
    enum Target {
        case timer(MQTTTimer)
        case connection(ConnectionTable.Reference)
        case reconnects
        case relay(UInt32)
    }

    private struct Entry: Comparable {
        var deadline: UInt64
        var sequence: UInt64
        var target: Target

        static func < (left: Self, right: Self) -> Bool {
            (left.deadline, left.sequence) < (right.deadline, right.sequence)
        }
        static func == (left: Self, right: Self) -> Bool { left.sequence == right.sequence }
    }

    private var heap = Heap<Entry>()
    private var sequence: UInt64 = 0
    private var compactAbove = 1_024

    var count: Int { heap.count }

    /// The earliest deadline, nanoseconds of the monotonic clock.
    var next: UInt64? { heap.min?.deadline }

    /// `isAwaited` is called now and then with earlier entries, and returns whether to keep them.
    mutating func add(
        _ target: Target, at deadline: UInt64,
        whereOthers isAwaited: (Target, _ deadline: UInt64) -> Bool
    ) {
        if heap.count >= compactAbove { keep(where: isAwaited) }
        sequence += 1
        heap.insert(Entry(deadline: deadline, sequence: sequence, target: target))
    }

    /// Removes and returns the earliest entry if it is due.
    mutating func popDue(at now: UInt64) -> (target: Target, deadline: UInt64)? {
        guard let first = heap.min, first.deadline <= now else { return nil }
        heap.removeMin()
        return (first.target, first.deadline)
    }

    private mutating func keep(where isAwaited: (Target, UInt64) -> Bool) {
        let awaited = heap.unordered.filter { isAwaited($0.target, $0.deadline) }
        heap = Heap(awaited)
        compactAbove = max(1_024, awaited.count * 2)
    }
}
