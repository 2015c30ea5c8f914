import HeapModule

/// When each device wants to be woken next.
///
/// A heap with lazy deletion: an outdated entry is skipped when it reaches the top.
struct WakeQueue {
    private struct Wake: Comparable {
        let due: Duration
        let index: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.due, left.index) < (right.due, right.index)
        }
    }

    private var heap = Heap<Wake>()
    private var wanted: [Duration?]

    init(devices: Int) { wanted = Array(repeating: nil, count: devices) }

    /// What the heap holds, forgotten wakes included.
    var pendingEntries: Int { heap.count }

    /// When the earliest wake is due.
    var next: Duration? {
        mutating get {
            dropStale()
            return heap.min?.due
        }
    }

    /// Replaces the wake of a device; nil takes it away.
    mutating func set(_ due: Duration?, for index: Int) {
        guard wanted[index] != due else { return }
        wanted[index] = due
        if let due { heap.insert(Wake(due: due, index: index)) }
        if heap.count > 4 * wanted.count + 64 { rebuild() }
    }

    /// Takes out the earliest wake that is due by `now`.
    mutating func popDue(by now: Duration) -> Int? {
        dropStale()
        guard let first = heap.min, first.due <= now else { return nil }
        heap.removeMin()
        wanted[first.index] = nil
        return first.index
    }

    private mutating func dropStale() {
        while let first = heap.min, wanted[first.index] != first.due { heap.removeMin() }
    }

    private mutating func rebuild() {
        heap = Heap(
            wanted.enumerated().compactMap { index, due in due.map { Wake(due: $0, index: index) } }
        )
    }
}
