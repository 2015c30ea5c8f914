/// What a connection sends and waits for: messages, requests, and the limits of the broker that apply to them.
/// A value type: it calls nobody, and the owner writes.
struct Outbox {
    /// Gets the answer to a SUBSCRIBE or UNSUBSCRIBE.
    typealias RequestCompletion = (Result<MQTTAcknowledgement, MQTTError>) -> Void

    /// A message that the broker's limits allow.
    struct Outgoing {
        /// What to send.
        let message: MQTTMessage
        /// The size of its packet without a topic alias, bytes.
        let size: Int
        /// The topic alias to send; nil sends the topic alone.
        let alias: TopicAliases.Alias?
        /// Who gets the result.
        let receipt: PublishReceipt
    }

    /// What to do with a new message.
    enum Admission {
        /// Send it now and report it as sent.
        case send(Outgoing)
        /// Nothing: ``next(to:)`` returns it when there is room.
        case queued
    }

    /// A message that need not wait any longer.
    enum Next {
        /// Send it now and report it as sent.
        case send(Outgoing)
        /// It was part of a batch, and the broker's limits do not allow it.
        case refuse(PublishReceipt, MQTTError)
    }

    /// The library chose the packet identifier of a packet that is not answered. The connection must end.
    struct Conflict<Waiter> {
        /// Who waited for that packet, and does so no longer; nil if somebody of another kind waits for it.
        let older: Waiter?
        /// Whether the broker's session has an unfinished exchange under the identifier.
        let isHeld: Bool

        /// Why the connection ends.
        func error(_ packet: UInt16, at broker: MQTTBrokerAddress) -> MQTTError {
            isHeld
                ? .packetIdentifierHeld(packet, at: broker)
                : .packetIdentifierReused(packet, at: broker)
        }
    }

    /// A message that is done.
    struct Completion {
        /// Who gets the result.
        let receipt: PublishReceipt
        /// Whether the broker has acknowledged it; at QoS 0 it was written.
        let isAcknowledged: Bool
        /// From sending to acknowledging, nanoseconds; nil if nobody measures.
        let latency: UInt64?
    }

    /// What was outstanding when the connection ended.
    struct Remainder {
        /// Messages that were sent, oldest first.
        var sent: [PublishReceipt]
        /// Messages that were not, oldest first; of a batch only the first one.
        var unsent: [PublishReceipt]
        /// Requests, in the order of their packet identifiers.
        var requests: [RequestCompletion]

        /// Tells everybody who waits that the connection has ended.
        func fail(because error: MQTTError) {
            let lost = MQTTError.lost(because: error)
            for receipt in sent { receipt.resolve(.failure(lost)) }
            for receipt in unsent { receipt.resolveUnsent(.unsent(because: error)) }
            for completion in requests { completion(.failure(lost)) }
        }
    }

    /// The version by which packets are measured.
    let version: MQTTProtocolVersion
    private let sendMaximum: UInt16
    private let topicAliasMaximum: UInt16
    private var window: MQTTPublishWindow<PublishReceipt>
    /// The requests that are not answered, by packet identifier.
    private var requests: [UInt16: RequestCompletion] = [:]
    /// What the broker of the present or last connection accepts.
    private(set) var limits = MQTTBrokerLimits()
    private var aliases = TopicAliases()
    /// When unacknowledged messages were sent, nanoseconds; empty if nobody measures.
    private var sendTimes: [UInt16: UInt64] = [:]
    /// Messages that this connection dropped, in either direction.
    var drops = MQTTDropCounts()

    init(_ configuration: MQTTConfiguration) {
        version = configuration.version
        sendMaximum = configuration.sendMaximum
        topicAliasMaximum = configuration.sendTopicAliasMaximum
        window = MQTTPublishWindow(
            limit: Int(configuration.sendMaximum),
            maximumMessages: configuration.maximumPendingMessages,
            maximumBytes: configuration.maximumPendingBytes, version: configuration.version)
    }

    /// The broker accepted a connection with these limits.
    mutating func connected(_ limits: MQTTBrokerLimits) {
        self.limits = limits
        if version == .v3_1_1 { self.limits.subscriptionIdentifiersAvailable = false }
        window.restrict(to: Int(min(sendMaximum, limits.receiveMaximum)))
        aliases = TopicAliases(maximum: min(topicAliasMaximum, limits.topicAliasMaximum))
    }

    // MARK: State

    /// Messages that are accepted and not done.
    var outstanding: Int { window.outstanding }

    /// Adds the present values to those of other connections.
    func add(to sample: inout LoopMetrics.Sample, at now: UInt64) {
        sample.inFlight += window.inFlight
        sample.queued += window.outstanding - window.inFlight
        if let since = window.oldestWaiting {
            sample.queueAge = max(sample.queueAge, now - min(since, now))
        }
    }

    /// The messages that were not sent, oldest first.
    var waitingMessages: [MQTTMessage] { window.waitingMessages }

    /// Whether an acknowledgement of the broker is outstanding.
    var isAcknowledgementDue: Bool { window.inFlight > 0 || !requests.isEmpty }

    // MARK: Messages

    /// Accepts a message. Throws `unsupported`, `packetTooLarge`, `invalidArgument` or `outboxFull`.
    mutating func admit(
        _ message: MQTTMessage, receipt: PublishReceipt, at now: UInt64,
        to broker: @autoclosure () -> MQTTBrokerAddress
    ) throws(MQTTError) -> Admission {
        let size = MQTTPacketSize.publish(message, version: version)
        try check(message, size: size, for: broker())
        return switch window.admit(message, size: size, token: receipt, at: now) {
        case .send: .send(outgoing(message, size, receipt))
        case .queued: .queued
        case .full: throw .outboxFull(window.outstanding)
        }
    }

    /// Accepts a whole batch, whose messages are checked one by one in ``next(to:)``.
    mutating func admit(_ batch: PublishBatch, at now: UInt64) {
        batch.number = window.admit(contentsOf: batch.messages, at: now) {
            .batch(batch, index: $0)
        }
    }

    /// Forgets the queued messages of a batch.
    mutating func abandon(_ batch: PublishBatch) {
        window.abandon(batch.number)
    }

    /// The oldest queued message, if there is room for it.
    mutating func next(to broker: @autoclosure () -> MQTTBrokerAddress) -> Next? {
        guard let (message, size, receipt) = window.next() else { return nil }
        if case .batch = receipt {
            do throws(MQTTError) {
                try check(message, size: size, for: broker())
            } catch {
                return .refuse(receipt, error)
            }
        }
        return .send(outgoing(message, size, receipt))
    }

    /// Introducing a new topic alias makes the packet larger, which the broker's limit may not allow.
    private func outgoing(
        _ message: MQTTMessage, _ size: Int, _ receipt: PublishReceipt
    ) -> Outgoing {
        let alias = aliases.alias(for: message.topic).flatMap { alias in
            alias.isKnown || size + MQTTPacketSize.topicAlias <= packetLimit ? alias : nil
        }
        return Outgoing(message: message, size: size, alias: alias, receipt: receipt)
    }

    /// The next topic alias was sent to the broker.
    mutating func introducedAlias(for topic: MQTTTopic) {
        aliases.introduced(topic)
    }

    /// The library took a message under that identifier. `isHeld` says whether the broker's session has an
    /// unfinished exchange under it; `now` is nil if nobody measures.
    mutating func sent(
        _ outgoing: Outgoing, packet: UInt16, isHeld: Bool, at now: UInt64?
    ) -> Conflict<PublishReceipt>? {
        let qos = outgoing.message.qos
        let older = window.sent(
            qos, size: outgoing.size, packet: packet, token: outgoing.receipt)
        guard qos > .atMostOnce else { return nil }
        guard older == nil, !isHeld, requests[packet] == nil else {
            return Conflict(older: older, isHeld: isHeld && older == nil)
        }
        if let now { sendTimes[packet] = now }
        return nil
    }

    /// The library reported the end of a message; nil if it is unknown here.
    mutating func completed(_ packet: UInt16, at now: UInt64) -> Completion? {
        let inFlight = window.inFlight
        guard let receipt = window.complete(packet) else { return nil }
        let sent = sendTimes.isEmpty ? nil : sendTimes.removeValue(forKey: packet)
        return Completion(
            receipt: receipt, isAcknowledged: window.inFlight < inFlight,
            latency: sent.map { now - min($0, now) })
    }

    // MARK: Requests

    /// The library took a SUBSCRIBE or UNSUBSCRIBE under that identifier.
    mutating func sent(
        _ completion: @escaping RequestCompletion, packet: UInt16
    ) -> Conflict<RequestCompletion>? {
        let older = requests.updateValue(completion, forKey: packet)
        guard older != nil || window.isInFlight(packet) else { return nil }
        return Conflict(older: older, isHeld: false)
    }

    /// The broker answered a request; nil if it is unknown here.
    mutating func answered(_ packet: UInt16) -> RequestCompletion? {
        defer { if requests.isEmpty { requests = [:] } }  // it would keep its storage
        return requests.removeValue(forKey: packet)
    }

    /// Waits for no answer to a request any more.
    mutating func removeRequests() -> [RequestCompletion] {
        defer { requests = [:] }
        return requests.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The connection ended: nothing is sent or waited for any more.
    mutating func removeAll() -> Remainder {
        let messages = window.removeAll()
        sendTimes = [:]
        return Remainder(
            sent: messages.sent, unsent: messages.unsent, requests: removeRequests())
    }
}
