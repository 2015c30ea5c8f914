import Synchronization

/// The connections of an access point whose request has not come yet. Who holds many of them open keeps nobody
/// away: the one that waits longest goes first.
final class WaitingConnections: Sendable {
    /// A connection.
    final class Place: Sendable {
        /// Ends once the connection has to go; one task waits for it.
        let ending: AsyncStream<Never>
        fileprivate let end: AsyncStream<Never>.Continuation

        init() { (ending, end) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    private let limit: Int
    /// The one that waits longest first.
    private let places = Mutex<[Place]>([])

    init(atMost limit: Int) { self.limit = limit }

    /// A connection begins to wait; one too many ends the one that waits longest.
    func add(_ place: Place) {
        let evicted = places.withLock { places in
            places.append(place)
            return places.count > limit ? places.removeFirst() : nil
        }
        evicted?.end.finish()
    }

    /// A connection waits no more.
    func remove(_ place: Place) { places.withLock { $0.removeAll { $0 === place } } }

    /// Whether a connection waits.
    func contains(_ place: Place) -> Bool { places.withLock { $0.contains { $0 === place } } }
}
