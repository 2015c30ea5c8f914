/// What there is to do, taken out as a whole so that more can be added while it is done. The storage of
/// what is done is used again.
struct Backlog<Item> {
    private var items: [Item] = []
    private var spare: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// All of it, nil if there is nothing; give it back with ``recycle(_:)``.
    mutating func take() -> [Item]? {
        guard !items.isEmpty else { return nil }
        defer {
            items = spare
            spare = []
        }
        return items
    }

    /// Keeps the storage of what was taken.
    mutating func recycle(_ done: consuming [Item]) {
        done.clear()
        spare = done
    }

    mutating func removeAll() {
        items.clear()
    }
}

extension Array {
    /// Removes everything but the storage. Where there is hardly more than one element, as mostly in a
    /// loop's round, that costs a tenth of `removeAll(keepingCapacity:)`.
    mutating func clear() {
        while popLast() != nil {}
    }
}
