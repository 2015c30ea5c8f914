/// How much of what a connection has received one turn of the loop reads. A value type: the owner reads.
struct ReadRound {
    /// How many packets to read in one turn, so that a burst on one connection does not starve others.
    static var packets: Int { 64 }

    private var room = Self.packets
    /// Whether the connection was accepted before this turn.
    private let wasConnected: Bool
    /// Whether the socket has ended, so that everything is to be read.
    private let isBroken: Bool

    init(isConnected: Bool, isBroken: Bool) {
        wasConnected = isConnected
        self.isBroken = isBroken
    }

    /// Whether more may be taken from the socket.
    var takesMore: Bool { room > 0 }

    /// Whether there is something to read: what was already taken from the socket is, whatever it is.
    func goesOn(hasReadAhead: Bool) -> Bool { takesMore || hasReadAhead }

    /// So many packets came of one read, which counts as one packet at least.
    mutating func read(_ packets: Int) { room -= max(1, packets) }

    /// Whether the turn is over before its room is used up.
    func isOver(isReading: Bool, isConnected: Bool) -> Bool {
        if !isReading, !isBroken { return true }
        // Lets the owner react to CONNACK before the next packet, unless one TLS record brought both.
        return !wasConnected && isConnected
    }
}
