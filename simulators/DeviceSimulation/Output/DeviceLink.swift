import DeviceDomain
import DeviceMessages

/// What a device knows of its connection; all times are of the monotonic clock.
struct DeviceLink: Hashable, Sendable {
    /// The least time between two answers to `hello`, and between two repairs of the presence
    /// (PROTOCOL section 2).
    static let interval = Duration.seconds(5)
    /// The time from an offline on the own presence topic to its repair (PROTOCOL section 2).
    static let repairDelay = Duration.seconds(1)
    /// The most events that wait for a connection.
    static let heldEventLimit = 32

    /// The most samples that wait for a connection: an hour of one every 5 s. Memory is the reason: a sample has
    /// about 250 bytes.
    static let heldSampleLimit = 720

    /// Whether the subscriptions stand.
    var isConnected = false
    /// When the device announces itself because it was asked to.
    private(set) var announcement: Duration?
    /// When the presence is to be repaired.
    private(set) var repair: Duration?
    /// Events that wait for a connection, the oldest first.
    private(set) var heldEvents: [EventMessage] = []
    /// Samples that wait for a connection, the oldest first.
    private(set) var heldSamples: [WrittenSample] = []
    /// Acks that leave late, in their order.
    private(set) var delayedAcks: [DelayedAck] = []
    private var lastHello: Duration?
    private var lastRepair: Duration?

    /// When something is due over the connection next.
    var nextDue: Duration? {
        earliest(earliest(announcement, repair), delayedAcks.first?.due)
    }

    /// Whether a `hello` is honoured now.
    mutating func admitsHello(at now: Duration) -> Bool {
        if let lastHello, now - lastHello < Self.interval { return false }
        lastHello = now
        return true
    }

    /// Sets the next repair, unless one is set.
    /// - Returns: whether it was set.
    mutating func scheduleRepair(at now: Duration) -> Bool {
        guard repair == nil else { return false }
        let earliest = lastRepair.map { $0 + Self.interval } ?? now
        repair = max(now + Self.repairDelay, earliest)
        return true
    }

    /// Whether the repair is due; it counts as done.
    mutating func takeRepair(at now: Duration) -> Bool {
        guard let due = repair, due <= now else { return false }
        repair = nil
        lastRepair = now
        return true
    }

    /// Sets the next announcement; one that comes sooner stays.
    mutating func announce(at time: Duration) {
        announcement = min(announcement ?? time, time)
    }

    /// Forgets what was to be done over the connection.
    mutating func dropPlans() { (announcement, repair, delayedAcks) = (nil, nil, []) }

    /// Keeps an ack until its time.
    mutating func delay(_ departure: Departure, until due: Duration) {
        delayedAcks.append(DelayedAck(due: due, departure: departure))
    }

    /// Takes the acks that are due, as far as none before them is not; `nil` for all.
    mutating func takeDelayedAcks(dueBy time: Duration?) -> ArraySlice<DelayedAck> {
        let due = delayedAcks.prefix { ack in time.map { ack.due <= $0 } ?? true }
        delayedAcks.removeFirst(due.count)
        return due
    }

    /// Whether the announcement is due; it counts as done.
    mutating func takeAnnouncement(at now: Duration) -> Bool {
        guard let due = announcement, due <= now else { return false }
        announcement = nil
        return true
    }

    /// Keeps an event until there is a connection.
    /// - Returns: whether the oldest one had to go.
    mutating func hold(_ event: EventMessage) -> Bool {
        heldEvents.append(event)
        guard heldEvents.count > Self.heldEventLimit else { return false }
        heldEvents.removeFirst()
        return true
    }

    /// Keeps a sample until there is a connection.
    /// - Returns: whether the oldest one had to go.
    mutating func hold(_ sample: WrittenSample) -> Bool {
        heldSamples.append(sample)
        guard heldSamples.count > Self.heldSampleLimit else { return false }
        heldSamples.removeFirst()
        return true
    }

    /// Takes the samples that waited.
    mutating func takeHeldSamples() -> [WrittenSample] {
        defer { heldSamples = [] }
        return heldSamples
    }

    /// Takes the events that waited.
    mutating func takeHeldEvents() -> [EventMessage] {
        defer { heldEvents = [] }
        return heldEvents
    }
}

/// An ack that leaves late.
struct DelayedAck: Hashable, Sendable {
    /// When it leaves (monotonic clock).
    let due: Duration
    /// The ack.
    let departure: Departure
}
