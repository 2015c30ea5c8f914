internal import Basics
package import MQTTClient

/// Measures how a broker treats messages, with messages of its own on one topic and below it.
package struct BrokerProbe: Sendable {
    /// How many messages the burst has: more than mosquitto queues unless it is told otherwise (1,000),
    /// and the 20 that are under way.
    package static let burst = 1_200
    private static let window: UInt16 = 20
    private static let rounds = 12

    private let link: MQTTLinkConfiguration
    private let eventLoop: MQTTEventLoop
    private let connection: ProbeConnection
    /// The topic that is known to come back.
    private let echo: MQTTTopic
    /// A topic that nobody else uses.
    private let own: MQTTTopic
    /// A filter with a wildcard that matches ``own``.
    private let wildcard: MQTTTopicFilter
    private let limit: Duration

    /// - Parameters:
    ///   - link: how more connections are made.
    ///   - connection: an open connection that is subscribed to `echo`.
    ///   - echo: a topic whose messages come back.
    ///   - limit: how long an answer may take.
    package init(
        _ link: MQTTLinkConfiguration, over connection: ProbeConnection, echo: MQTTTopic,
        limit: Duration, on eventLoop: MQTTEventLoop
    ) throws(MQTTError) {
        let nonce = String.randomHex(digits: 16)
        self.link = link
        self.connection = connection
        self.echo = echo
        self.limit = limit
        self.eventLoop = eventLoop
        own = try MQTTTopic("\(echo)/\(nonce)")
        let parent = echo.rawValue.split(separator: "/").dropLast().joined(separator: "/")
        wildcard = try MQTTTopicFilter("\(parent)/+/\(nonce)")
    }

    // MARK: Latency

    /// Measures round trips with and without an acknowledgement of the broker, as most clients see them:
    /// those of Homeport acknowledge TCP segments at once.
    /// - Returns: `nil` if messages do not come back.
    package func latency() async throws(MQTTError) -> BrokerLatency? {
        let plain = try ProbeConnection(link, isPlain: true, on: eventLoop)
        return try await ProbeConnection.with(plain) { _ throws(MQTTError) in
            let filter = try MQTTTopicFilter(echo.rawValue)
            try await plain.subscribe([MQTTSubscriptionRequest(filter, qos: .atMostOnce)])
            guard let one = try await median(at: .atMostOnce, over: plain),
                let two = try await median(at: .atLeastOnce, over: plain)
            else { return nil }
            return BrokerLatency(plain: one, acknowledged: two)
        }
    }

    private func median(
        at qos: MQTTQoS, over plain: ProbeConnection
    ) async throws(MQTTError) -> Duration? {
        var times: [Duration] = []
        for round in 0..<Self.rounds {
            let payload = Array("\(qos.rawValue) \(round) \(own)".utf8)
            let exchange = try await plain.exchange(
                MQTTMessage(topic: echo, payload: payload, qos: qos), within: limit
            ) { $0.payload == payload }
            guard let time = exchange.roundTrip else { return nil }
            times.append(time)
        }
        return times.sorted()[Self.rounds / 2]
    }

    // MARK: Retained messages

    /// Finds out whether a retained message is replayed, with one that is removed again.
    package func retainedReplay() async throws(MQTTError) -> RetainedReplay {
        let payload = Array("\(own)".utf8)
        let kept = MQTTMessage(
            topic: own, payload: payload, retain: true,
            properties: link.version == .v5
                ? MQTTProperties(messageExpirySeconds: 60) : .none)
        let reason = try await connection.publish(kept)
        guard !reason.isError else {
            return reason == .retainNotSupported ? .never : .unknown
        }
        let result = try await findReplay(of: payload)
        try await connection.publish(MQTTMessage(topic: own, payload: [], retain: true))
        return result
    }

    private func findReplay(of payload: [UInt8]) async throws(MQTTError) -> RetainedReplay {
        if try await isReplayed(payload, to: wildcard) { return .toEveryFilter }
        return try await isReplayed(payload, to: MQTTTopicFilter(own.rawValue))
            ? .toExactFilters : .never
    }

    /// Subscribes, and waits for the message or for what the broker sends after it.
    private func isReplayed(
        _ payload: [UInt8], to filter: MQTTTopicFilter
    ) async throws(MQTTError) -> Bool {
        let replayed = await connection.expect(within: limit) {
            $0.retain && $0.payload == payload
        }
        let answers = try await connection.subscribe([MQTTSubscriptionRequest(filter)])
        guard answers.allSatisfy({ !$0.isError }) else { return false }
        let end = payload + [UInt8(ascii: "!")]
        _ = try await connection.exchange(
            MQTTMessage(topic: echo, payload: end), within: limit
        ) { $0.payload == end }
        replayed.resolve(false)
        return await replayed.value(ifCancelled: false)
    }

    // MARK: The size of messages

    /// Far more than the protocol's payloads have, in bytes, and a little less than this program reads.
    package static let largePayload = 1_040_000

    /// Finds out whether the broker takes and delivers a large message, with one to another connection of this
    /// program on a topic that nobody else uses.
    /// - Returns: `nil` if the broker does not let this user try it.
    package func takesLargePayload() async throws(MQTTError) -> Bool? {
        let peer = try ProbeConnection(link, on: eventLoop)
        return try await ProbeConnection.with(peer) { info throws(MQTTError) in
            if let size = info.limits.maximumPacketSize, size < Self.largePayload { return false }
            let filter = try MQTTTopicFilter(own.rawValue)
            let answers = try await peer.subscribe([MQTTSubscriptionRequest(filter)])
            guard answers.allSatisfy({ !$0.isError }) else { return nil }
            let large = await peer.expect(within: limit) {
                $0.payload.count == Self.largePayload
            }
            let mark = Array("\(own) size".utf8)
            do throws(MQTTError) {
                try await peer.publish(
                    MQTTMessage(
                        topic: own, payload: [UInt8](repeating: 0x20, count: Self.largePayload)))
                // What the broker sends after it: on MQTT 3.1.1 nothing else tells.
                let end = try await peer.exchange(
                    MQTTMessage(topic: own, payload: mark), within: limit
                ) { $0.payload == mark }
                if end.roundTrip != nil { large.resolve(false) }
            } catch {
                // Some brokers end the connection of a client that sends too much.
                large.resolve(false)
            }
            return await large.value(ifCancelled: false)
        }
    }

    // MARK: The queue

    /// Finds out how many messages the broker keeps for a client that does not read for a moment: a burst
    /// to a second connection of this program, on a topic that nobody else uses.
    /// - Returns: how many of the burst came; `nil` if the broker does not allow it.
    package func queueDepth() async throws(MQTTError) -> Int? {
        let reader = try ProbeConnection(link, receiveMaximum: Self.window, on: eventLoop)
        return try await ProbeConnection.with(reader) { _ throws(MQTTError) in
            try await queueDepth(seenBy: reader)
        }
    }

    private func queueDepth(seenBy reader: ProbeConnection) async throws(MQTTError) -> Int? {
        let filter = try MQTTTopicFilter(own.rawValue)
        let answers = try await reader.subscribe([MQTTSubscriptionRequest(filter)])
        guard answers.allSatisfy({ !$0.isError }) else { return nil }
        await reader.pauseReading()
        let reasons = try await connection.publish(contentsOf: (1...Self.burst).map(message))
        guard !reasons.contains(.notAuthorized) else { return nil }
        let count = MessageCount()
        await reader.listen { _ in count.add() }
        // The one behind the window comes when the broker has freed a place in its queue.
        let first = await reader.expect(within: limit) { [message] in
            $0.payload == message(Int(Self.window) + 1).payload
        }
        let last = await reader.expect(within: limit * 2) { [message] in
            $0.payload == message(Self.burst + 1).payload
        }
        await reader.resumeReading()
        _ = await first.value(ifCancelled: false)
        try await connection.publish(message(Self.burst + 1))
        let isWhole = await last.value(ifCancelled: false)
        // On MQTT 3.1.1 a broker confirms also what its access control drops.
        guard isWhole || count.value > 0 else { return nil }
        return count.value - (isWhole ? 1 : 0)
    }

    @Sendable
    private func message(_ number: Int) -> MQTTMessage {
        MQTTMessage(topic: own, payload: Array("\(number)".utf8))
    }
}

/// How long messages take to a broker and back.
package struct BrokerLatency: Hashable, Sendable {
    /// At QoS 0: the network and the broker.
    package let plain: Duration
    /// At QoS 1, with the broker's acknowledgement: two packets, the second of which waits where the
    /// broker does not set TCP_NODELAY.
    package let acknowledged: Duration

    package init(plain: Duration, acknowledged: Duration) {
        self.plain = plain
        self.acknowledged = acknowledged
    }
}

/// To which filters a broker replays retained messages.
package enum RetainedReplay: Hashable, Sendable {
    /// To every filter.
    case toEveryFilter
    /// To filters without wildcards only.
    case toExactFilters
    /// To none: it does not store them.
    case never
    /// The broker did not allow to find out.
    case unknown
}
