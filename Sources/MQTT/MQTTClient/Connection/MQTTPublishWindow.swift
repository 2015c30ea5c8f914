private import DequeModule

/// The send window: which messages are unacknowledged and which are queued behind them. A value type;
/// `Token` is what the owner gets back when a message is done.
struct MQTTPublishWindow<Token> {
    /// What to do with a message.
    enum Admission {
        /// Pass it to the library now and report ``sent(_:size:packet:token:)``.
        case send
        /// It is queued here; ``next()`` returns it when there is room.
        case queued
        /// The queue is full; it was not accepted.
        case full
    }

    private struct Written {
        var packet: UInt16
        var cost: Int
        var token: Token
    }

    /// Messages that were published together. Their owner waits for them, so they do not count towards the
    /// limits of the queue.
    private struct Batch {
        let number: UInt64
        let messages: [MQTTMessage]
        var position = 0
        let token: (Int) -> Token
        let since: UInt64
    }

    /// A message that may be sent, with the size of its packet in bytes.
    typealias Next = (message: MQTTMessage, size: Int, token: Token)

    private struct Waiting {
        let number: UInt64
        let message: MQTTMessage
        let size: Int
        let token: Token
        let since: UInt64
    }

    /// What a queued message takes besides its packet, about, bytes.
    private static var overhead: Int { 64 }

    private let version: MQTTProtocolVersion
    private let maximumMessages: Int
    private let maximumBytes: Int
    private var limit: Int
    private var unacknowledged: [UInt16: Token] = [:]
    /// QoS 0 messages in the library's queue, in the order in which it writes them.
    private var unwritten: Deque<Written> = []
    private var waiting: Deque<Waiting> = []
    /// How many of these are QoS 0.
    private var waitingUnconfirmed = 0
    private var batches: Deque<Batch> = []
    /// Numbers queued messages in order.
    private var number: UInt64 = 0
    private var bytes = 0

    init(limit: Int, maximumMessages: Int, maximumBytes: Int, version: MQTTProtocolVersion = .v5) {
        self.version = version
        self.limit = max(1, limit)
        self.maximumMessages = maximumMessages
        self.maximumBytes = maximumBytes
    }

    /// Messages that are accepted and not done.
    var outstanding: Int {
        batches.reduce(unacknowledged.count + unwritten.count + waiting.count) {
            $0 + $1.messages.count - $1.position
        }
    }

    /// Messages the broker has not acknowledged.
    var inFlight: Int { unacknowledged.count }

    /// Whether the message with that identifier is unacknowledged.
    func isInFlight(_ packet: UInt16) -> Bool { unacknowledged[packet] != nil }

    /// Sets how many messages may be unacknowledged from now on.
    mutating func restrict(to limit: Int) {
        self.limit = max(1, limit)
    }

    /// Decides about a new message whose packet has that size, and queues it if it must wait.
    mutating func admit(
        _ message: MQTTMessage, size: Int, token: Token, at now: UInt64 = 0
    ) -> Admission {
        if isNext(message), waiting.isEmpty, batches.isEmpty { return .send }
        guard unwritten.count + waiting.count < maximumMessages,
            bytes + size + Self.overhead <= maximumBytes
        else { return .full }
        if message.qos == .atMostOnce {
            if batches.isEmpty, waitingUnconfirmed == 0 { return .send }
            waitingUnconfirmed += 1
        }
        bytes += size + Self.overhead
        number += 1
        waiting.append(
            Waiting(number: number, message: message, size: size, token: token, since: now))
        return .queued
    }

    /// Queues messages that ``next()`` returns one by one as there is room. Returns the key by which they
    /// can be abandoned.
    mutating func admit(
        contentsOf messages: [MQTTMessage], at now: UInt64 = 0, token: @escaping (Int) -> Token
    ) -> UInt64 {
        number += 1
        if !messages.isEmpty {
            batches.append(Batch(number: number, messages: messages, token: token, since: now))
        }
        return number
    }

    /// Removes the queued messages of a batch.
    mutating func abandon(_ number: UInt64) {
        batches.removeAll { $0.number == number }
    }

    /// The library accepted the message under this packet identifier. Returns an older unacknowledged
    /// message with that identifier, if there is one, and removes it.
    mutating func sent(_ qos: MQTTQoS, size: Int, packet: UInt16, token: Token) -> Token? {
        guard qos == .atMostOnce else {
            return unacknowledged.updateValue(token, forKey: packet)
        }
        let cost = size + Self.overhead
        bytes += cost
        unwritten.append(Written(packet: packet, cost: cost, token: token))
        return nil
    }

    /// The library reported the packet; nil if it is unknown here.
    mutating func complete(_ packet: UInt16) -> Token? {
        if let first = unwritten.first, first.packet == packet {
            unwritten.removeFirst()
            bytes -= first.cost
            return first.token
        }
        return unacknowledged.removeValue(forKey: packet)
    }

    /// The oldest queued message, if there is room for it.
    mutating func next() -> Next? {
        guard let batch = batches.first?.number else { return nextAlone() }
        guard let single = waiting.first?.number, single < batch else { return nextOfBatch() }
        return nextAlone()
    }

    private mutating func nextAlone() -> Next? {
        guard let next = waiting.first, hasRoom(for: next.message, size: next.size) else {
            return nil
        }
        waiting.removeFirst()
        if next.message.qos == .atMostOnce { waitingUnconfirmed -= 1 }
        bytes -= next.size + Self.overhead
        return (next.message, next.size, next.token)
    }

    private mutating func nextOfBatch() -> Next? {
        let position = batches[0].position
        let message = batches[0].messages[position]
        guard message.qos == .atMostOnce || isNext(message) else { return nil }
        let size = MQTTPacketSize.publish(message, version: version)
        guard hasRoom(for: message, size: size) else { return nil }
        let token = batches[0].token(position)
        batches[0].position = position + 1
        if position + 1 == batches[0].messages.count { batches.removeFirst() }
        return (message, size, token)
    }

    private func hasRoom(for message: MQTTMessage, size: Int) -> Bool {
        isNext(message)
            || message.qos == .atMostOnce && unwritten.count < maximumMessages
                && bytes + size + Self.overhead <= maximumBytes
    }

    /// A message with none ahead of it is accepted whatever its size: waiting would not make more room.
    private func isNext(_ message: MQTTMessage) -> Bool {
        message.qos == .atMostOnce ? unwritten.isEmpty : unacknowledged.count < limit
    }

    /// When the oldest queued message was published, nanoseconds.
    var oldestWaiting: UInt64? {
        guard let single = waiting.first?.since else { return batches.first?.since }
        return min(single, batches.first?.since ?? single)
    }

    /// The messages that were not sent, oldest first.
    var waitingMessages: [MQTTMessage] {
        var all = waiting.map { ($0.number, [$0.message][...]) }
        all += batches.map { ($0.number, $0.messages[$0.position...]) }
        return all.sorted { $0.0 < $1.0 }.flatMap(\.1)
    }

    /// Removes everything and returns the tokens, oldest first, with those of unsent messages apart; of the
    /// unsent messages of a batch only the first one's.
    mutating func removeAll() -> (sent: [Token], unsent: [Token]) {
        var sent = unwritten.map(\.token)
        sent += unacknowledged.sorted { $0.key < $1.key }.map(\.value)
        var unsent = waiting.map { ($0.number, $0.token) }
        unsent += batches.map { ($0.number, $0.token($0.position)) }
        unwritten = []
        unacknowledged = [:]
        waiting = []
        waitingUnconfirmed = 0
        batches = []
        bytes = 0
        return (sent, unsent.sorted { $0.0 < $1.0 }.map(\.1))
    }
}
