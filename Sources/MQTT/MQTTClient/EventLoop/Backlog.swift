/// A queue of work that is taken out as a whole, so that more can be added while it is executed. The
/// storage is reused.
struct Backlog<Item> {
    private var items: [Item] = []
    private var spare: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// All elements, nil if there are none; return the array with ``recycle(_:)``.
    mutating func take() -> [Item]? {
        guard !items.isEmpty else { return nil }
        defer {
            items = spare
            spare = []
        }
        return items
    }

    /// Takes back the storage of an array from ``take()``, which is cleared before: what its elements release may add work.
    mutating func recycle(_ done: consuming [Item]) {
        spare = done
    }

    mutating func removeAll() {
        items.clear()
    }
}

extension Array {
    /// Removes the elements and keeps the storage. For one or two elements, as usual in a round of a loop,
    /// this costs a tenth of `removeAll(keepingCapacity:)`.
    mutating func clear() {
        while popLast() != nil {}
    }
}
