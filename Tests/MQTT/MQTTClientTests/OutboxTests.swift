import Testing

@testable import MQTTClient

/// What a connection sends and waits for, without a socket.
@Suite struct OutboxTests {
    private let configuration: MQTTConfiguration
    private let broker: MQTTBrokerAddress
    private let message: MQTTMessage
    private var outbox: Outbox

    init() throws {
        var configuration = try MQTTConfiguration.test(1)
        configuration.sendMaximum = 2
        configuration.sendTopicAliasMaximum = 1
        configuration.maximumPendingMessages = 1
        self.configuration = configuration
        broker = configuration.broker
        message = try .test("a", "payload")
        outbox = Outbox(configuration)
    }

    // MARK: Messages

    @Test mutating func messagesAreSentInTheWindowAndQueuedBehindIt() throws {
        let broker = broker
        try send(1)
        try send(2)
        guard case .queued = try admit(message) else {
            Issue.record("expected the message to be queued")
            return
        }
        let full = #expect(throws: MQTTError.self) { try admit(message) }
        #expect(full?.code == .outboxFull && outbox.outstanding == 3)
        #expect(outbox.waitingMessages == [message])
        let none = outbox.next(to: broker)
        #expect(none == nil)
        let done = outbox.completed(1, at: 0)
        #expect(done?.isAcknowledged == true && done?.latency == nil)
        guard case .send(let next) = outbox.next(to: broker) else {
            Issue.record("expected the queued message")
            return
        }
        #expect(next.message == message)
        #expect(next.size == MQTTPacketSize.publish(message, version: .v5))
    }

    @Test mutating func theBrokerMayAllowFewerAtOnce() throws {
        var limits = MQTTBrokerLimits()
        limits.receiveMaximum = 1
        outbox.connected(limits)
        try send(1)
        guard case .queued = try admit(message) else {
            Issue.record("expected the message to be queued")
            return
        }
    }

    @Test mutating func whatTheBrokerDoesNotAcceptIsNotTaken() throws {
        var limits = MQTTBrokerLimits()
        limits.maximumQoS = .atMostOnce
        outbox.connected(limits)
        #expect(code(of: message) == .unsupported)
        limits = MQTTBrokerLimits()
        limits.retainAvailable = false
        limits.maximumPacketSize = UInt32(MQTTPacketSize.publish(message, version: .v5))
        outbox.connected(limits)
        var retained = message
        retained.retain = true
        #expect(code(of: retained) == .unsupported)
        var long = message
        long.payload.append(0)
        #expect(code(of: long) == .packetTooLarge)
        #expect(outbox.outstanding == 0)
        try send(1)
    }

    /// It is checked only when its turn comes.
    @Test mutating func aMessageOfABatchMayBeRefused() throws {
        let broker = broker
        var limits = MQTTBrokerLimits()
        limits.retainAvailable = false
        outbox.connected(limits)
        var retained = message
        retained.retain = true
        outbox.admit(PublishBatch([retained, message]) { _ in }, at: 0)
        guard case .refuse(_, let error) = outbox.next(to: broker),
            case .send = outbox.next(to: broker)
        else {
            Issue.record("expected one message to be refused and the next to be sent")
            return
        }
        #expect(error.code == .unsupported)
    }

    @Test mutating func anAbandonedBatchIsNotSent() {
        let broker = broker
        let batch = PublishBatch([message, message]) { _ in }
        outbox.admit(batch, at: 0)
        outbox.abandon(batch)
        let next = outbox.next(to: broker)
        #expect(next == nil && outbox.outstanding == 0)
    }

    @Test mutating func latencyIsMeasuredWhereSomebodyAsks() throws {
        try send(1, at: 10)
        #expect(outbox.completed(1, at: 25)?.latency == 15)
        try send(1)
        #expect(outbox.completed(1, at: 25)?.latency == nil)
        let unknown = outbox.completed(1, at: 25)
        #expect(unknown == nil)
    }

    @Test mutating func theGaugesAreThoseOfTheQueue() throws {
        let broker = broker
        try send(1)
        try send(2)
        _ = try outbox.admit(message, receipt: .nobody, at: 10, to: broker)
        var sample = LoopMetrics.Sample()
        outbox.add(to: &sample, at: 30)
        #expect(sample == .init(connections: 0, inFlight: 2, queued: 1, queueAge: 20))
    }

    // MARK: Topic aliases

    @Test mutating func anAliasIsIntroducedWhereItFits() throws {
        let size = MQTTPacketSize.publish(message, version: .v5)
        var limits = MQTTBrokerLimits()
        limits.topicAliasMaximum = 5
        limits.maximumPacketSize = UInt32(size + MQTTPacketSize.topicAlias - 1)
        outbox.connected(limits)
        #expect(try outgoing().alias == nil)
        limits.maximumPacketSize = nil
        outbox.connected(limits)
        #expect(try outgoing().alias == .init(number: 1, isKnown: false))
        outbox.introducedAlias(for: message.topic)
        #expect(try outgoing().alias == .init(number: 1, isKnown: true))
        outbox.connected(limits)
        #expect(try outgoing().alias == .init(number: 1, isKnown: false))
    }

    // MARK: Packet identifiers

    @Test mutating func anIdentifierOfAnUnansweredPacketIsAConflict() throws {
        #expect(try conflict(7) == nil)
        let reused = try conflict(7)
        #expect(reused?.older != nil && reused?.isHeld == false)
        #expect(request(8) == nil)
        let taken = try conflict(8)
        #expect(taken != nil && taken?.older == nil)
        #expect(request(8)?.older != nil)
        let inFlight = request(7)
        #expect(inFlight != nil && inFlight?.older == nil)
        let error = reused?.error(7, at: broker)
        #expect(error?.message.contains("did not acknowledge packet 7") == true)
    }

    @Test mutating func anIdentifierThatTheSessionHoldsIsAConflict() throws {
        let held = try conflict(7, isHeld: true)
        #expect(held?.isHeld == true && held?.older == nil)
        #expect(held?.error(7, at: broker).message.contains("holds an exchange") == true)
    }

    // MARK: Requests

    @Test mutating func requestsAreAnsweredOnce() {
        #expect(request(3) == nil && outbox.isAcknowledgementDue)
        let answered = outbox.answered(3)
        let again = outbox.answered(3)
        #expect(answered != nil && again == nil && !outbox.isAcknowledgementDue)
        #expect(request(4) == nil)
        #expect(outbox.removeRequests().count == 1)
        #expect(outbox.removeRequests().isEmpty)
    }

    @Test func filtersThatShareOptionsShareAPacket() throws {
        let broker = broker
        let requests: [MQTTSubscriptionRequest] = [
            try .test("a"), try .test("b", qos: .atMostOnce), try .test("c"),
        ]
        let packets = try outbox.packets(
            for: .subscribe(requests), userProperties: [], to: broker)
        #expect(packets.map(\.positions) == [[0, 2], [1]])
        #expect(packets.map(\.purpose) == ["subscribing", "subscribing"])
        #expect(packets[0].filters.map(\.rawValue) == ["a", "c"])
    }

    @Test mutating func filtersAreCutUntilTheyFit() throws {
        let broker = broker
        let filters = try ["aaaa", "bbbb", "cccc"].map { try MQTTTopicFilter($0) }
        var limits = MQTTBrokerLimits()
        limits.maximumPacketSize = UInt32(
            MQTTPacketSize.unsubscribe([filters[0]], userProperties: [], version: .v5))
        outbox.connected(limits)
        let packets = try outbox.packets(
            for: .unsubscribe(filters), userProperties: [], to: broker)
        #expect(packets.map(\.filters) == filters.map { [$0] })
        #expect(packets.allSatisfy { $0.positions.isEmpty && $0.purpose == "unsubscribing" })
        limits.maximumPacketSize = 5
        outbox.connected(limits)
        let tooLarge = #expect(throws: MQTTError.self) {
            try outbox.packets(for: .unsubscribe(filters), userProperties: [], to: broker)
        }
        #expect(tooLarge?.code == .packetTooLarge)
        #expect(try outbox.packets(for: .unsubscribe([]), userProperties: [], to: broker).isEmpty)
    }

    // MARK: The end

    @Test mutating func everybodyWhoWaitsIsToldOfTheEnd() throws {
        let broker = broker
        var told: [MQTTError.Code?] = []
        let receipt = PublishReceipt.call { told.append($0.failure?.code) }
        guard
            case .send(let first) = try outbox.admit(
                message, receipt: receipt, at: 0, to: broker)
        else {
            Issue.record("expected the message to be sent")
            return
        }
        #expect(outbox.sent(first, packet: 1, isHeld: false, at: 0) == nil)
        try send(2)
        _ = try outbox.admit(message, receipt: receipt, at: 0, to: broker)
        _ = outbox.sent({ told.append($0.failure?.code) }, packet: 3)
        outbox.removeAll().fail(because: MQTTError(.keepAliveTimeout, "silence"))
        #expect(told == [.connectionLost, .notConnected, .connectionLost])
        #expect(outbox.outstanding == 0 && !outbox.isAcknowledgementDue)
    }

    // MARK: Steps

    private mutating func admit(_ message: MQTTMessage) throws -> Outbox.Admission {
        let broker = broker
        return try outbox.admit(message, receipt: .nobody, at: 0, to: broker)
    }

    private mutating func send(_ packet: UInt16, at now: UInt64? = nil) throws {
        guard case .send(let outgoing) = try admit(message) else {
            Issue.record("expected the message to be sent")
            return
        }
        #expect(outbox.sent(outgoing, packet: packet, isHeld: false, at: now) == nil)
    }

    private mutating func code(of message: MQTTMessage) -> MQTTError.Code? {
        let broker = broker
        do {
            _ = try outbox.admit(message, receipt: .nobody, at: 0, to: broker)
            return nil
        } catch { return error.code }
    }

    private mutating func outgoing() throws -> Outbox.Outgoing {
        guard case .send(let outgoing) = try admit(message) else { throw NothingToSend() }
        return outgoing
    }

    private mutating func conflict(
        _ packet: UInt16, isHeld: Bool = false
    ) throws -> Outbox.Conflict<PublishReceipt>? {
        // As in a window that is wide open.
        let outgoing = Outbox.Outgoing(message: message, size: 20, alias: nil, receipt: .nobody)
        return outbox.sent(outgoing, packet: packet, isHeld: isHeld, at: nil)
    }

    private mutating func request(_ packet: UInt16) -> Outbox.Conflict<Outbox.RequestCompletion>? {
        outbox.sent({ _ in }, packet: packet)
    }

    private struct NothingToSend: Error {}
}

extension Result where Failure == MQTTError {
    fileprivate var failure: MQTTError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
