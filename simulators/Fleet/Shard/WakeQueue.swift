import HeapModule

/// When each home wants to be woken next.
///
/// A heap with lazy deletion: an outdated entry is skipped when it reaches the top.
struct WakeQueue {
    private struct Wake: Comparable {
        let due: Duration
        let home: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.due, left.home) < (right.due, right.home)
        }
    }

    private var heap = Heap<Wake>()
    private var wanted: [Duration?]

    init(homes: Int) { wanted = Array(repeating: nil, count: homes) }

    /// What the heap holds, forgotten wakes included.
    var pendingEntries: Int { heap.count }

    /// When the earliest wake is due.
    var next: Duration? {
        mutating get {
            dropStale()
            return heap.min?.due
        }
    }

    /// Replaces the wake of a home; nil takes it away.
    mutating func set(_ due: Duration?, for home: Int) {
        guard wanted[home] != due else { return }
        wanted[home] = due
        if let due { heap.insert(Wake(due: due, home: home)) }
        if heap.count > 4 * wanted.count + 64 { rebuild() }
    }

    /// Takes out the earliest wake that is due by `now`.
    mutating func popDue(by now: Duration) -> Int? {
        dropStale()
        guard let first = heap.min, first.due <= now else { return nil }
        heap.removeMin()
        wanted[first.home] = nil
        return first.home
    }

    private mutating func dropStale() {
        while let first = heap.min, wanted[first.home] != first.due { heap.removeMin() }
    }

    private mutating func rebuild() {
        heap = Heap(
            wanted.enumerated().compactMap { home, due in due.map { Wake(due: $0, home: home) } }
        )
    }
}
