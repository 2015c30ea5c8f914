/// The relays of a loop.
struct LinkRelays {
    /// A side of a relay.
    enum Side: UInt64 {
        /// That of the broker.
        case outer = 0xFFFF_FFFE
        /// That of the client.
        case inner = 0xFFFF_FFFD
    }

    private var relays: [UInt32: LinkRelay] = [:]
    private var lastID: UInt32 = 0

    /// How many there are.
    var count: Int { relays.count }

    /// The next id, which no relay of this loop has.
    mutating func nextID() -> UInt32 {
        lastID &+= 1
        return lastID
    }

    subscript(id: UInt32) -> LinkRelay? { relays[id] }

    /// Keeps a relay until it has ended.
    mutating func insert(_ relay: LinkRelay) { relays[relay.id] = relay }

    /// Forgets one that has ended.
    mutating func remove(_ id: UInt32) { relays[id] = nil }

    /// The relay with a descriptor that was registered under this token, and which one it is.
    func relay(forToken token: UInt64) -> (LinkRelay, Side)? {
        guard let side = Side(rawValue: token & 0xFFFF_FFFF),
            let relay = relays[UInt32(token >> 32)]
        else { return nil }
        return (relay, side)
    }

    /// Identifies a descriptor to the poller, as no connection does: a table has fewer places.
    static func token(_ id: UInt32, _ side: Side) -> UInt64 { UInt64(id) << 32 | side.rawValue }
}
