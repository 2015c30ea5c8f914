private import DequeModule

/// Which messages are under way: how many the broker holds unacknowledged, which wait behind them.
/// A value; `Token` is what the owner needs back when a message is done.
struct MQTTPublishWindow<Token> {
    /// What to do with a message.
    enum Admission {
        /// Give it to the library now and report ``sent(_:packet:token:)``.
        case send
        /// It is kept here; ``next()`` gives it out when there is room.
        case queued
        /// The bound is reached; it was not taken.
        case full
    }

    private struct Written {
        var packet: UInt16
        var cost: Int
        var token: Token
    }

    private let maximumMessages: Int
    private let maximumBytes: Int
    private var limit: Int
    private var unacknowledged: [UInt16: Token] = [:]
    /// QoS 0 messages in the library's queue, in the order in which it writes them.
    private var unwritten: Deque<Written> = []
    private var waiting: Deque<(message: MQTTMessage, token: Token, since: UInt64)> = []
    private var bytes = 0

    init(limit: Int, maximumMessages: Int, maximumBytes: Int) {
        self.limit = max(1, limit)
        self.maximumMessages = maximumMessages
        self.maximumBytes = maximumBytes
    }

    /// Messages neither done nor refused.
    var outstanding: Int { unacknowledged.count + unwritten.count + waiting.count }

    /// Messages the broker has not acknowledged.
    var inFlight: Int { unacknowledged.count }

    /// Says how many unacknowledged messages there may be from now on.
    mutating func restrict(to limit: Int) {
        self.limit = max(1, limit)
    }

    /// Decides about a new message, and keeps it if it must wait.
    mutating func admit(_ message: MQTTMessage, token: Token, at now: UInt64 = 0) -> Admission {
        if message.qos > .atMostOnce, unacknowledged.count < limit, waiting.isEmpty {
            return .send
        }
        guard unwritten.count + waiting.count < maximumMessages,
            bytes + message.cost <= maximumBytes
        else { return .full }
        if message.qos == .atMostOnce { return .send }
        bytes += message.cost
        waiting.append((message, token, now))
        return .queued
    }

    /// The library took the message under this packet identifier. Returns the older message of that
    /// identifier that is not acknowledged, if there is one: it is forgotten here.
    mutating func sent(_ message: MQTTMessage, packet: UInt16, token: Token) -> Token? {
        guard message.qos == .atMostOnce else {
            return unacknowledged.updateValue(token, forKey: packet)
        }
        bytes += message.cost
        unwritten.append(Written(packet: packet, cost: message.cost, token: token))
        return nil
    }

    /// The library reported the packet; nil if nothing here waits for it.
    mutating func complete(_ packet: UInt16) -> Token? {
        if let first = unwritten.first, first.packet == packet {
            unwritten.removeFirst()
            bytes -= first.cost
            return first.token
        }
        return unacknowledged.removeValue(forKey: packet)
    }

    /// The next waiting message, if there is room for it.
    mutating func next() -> (message: MQTTMessage, token: Token)? {
        guard unacknowledged.count < limit, let next = waiting.popFirst() else { return nil }
        bytes -= next.message.cost
        return (next.message, next.token)
    }

    /// When the message came that waits longest, nanoseconds.
    var oldestWaiting: UInt64? { waiting.first?.since }

    /// The messages that have not left, oldest first.
    var waitingMessages: [MQTTMessage] { waiting.map(\.message) }

    /// Forgets everything and gives the tokens back, oldest first.
    mutating func removeAll() -> [Token] {
        var tokens = unwritten.map(\.token)
        tokens += unacknowledged.sorted { $0.key < $1.key }.map(\.value)
        tokens += waiting.map(\.token)
        unwritten = []
        unacknowledged = [:]
        waiting = []
        bytes = 0
        return tokens
    }
}
