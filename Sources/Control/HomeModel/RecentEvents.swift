internal import Connectivity
internal import DequeModule
internal import DeviceMessages

/// The ids of the latest events, by which one that is delivered again is recognised.
struct RecentEvents: Sendable {
    /// How many ids are kept.
    private static let limit = 256

    private var order: Deque<EventID> = []
    private var known: Set<EventID> = []

    /// Whether an event was not seen before; one without an id always counts as new.
    mutating func isNew(_ event: EventReport) -> Bool {
        guard let id = event.id else { return true }
        guard known.insert(id).inserted else { return false }
        order.append(id)
        if order.count > Self.limit { known.remove(order.removeFirst()) }
        return true
    }
}
