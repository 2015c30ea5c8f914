internal import DeviceDomain
internal import MQTTClient
internal import MQTTLink
internal import MosquittoAdapter

/// What is wrong with a broker, from what a probe has observed. Pure.
struct BrokerCheck: Sendable {
    /// A packet with the largest payload of the protocol, its topic and properties.
    private static let largestPacket = 66 << 10
    /// A delayed acknowledgement of TCP takes 40 ms.
    private static let delayedAcknowledgement = Duration.milliseconds(25)

    /// The broker, as messages name it.
    let address: String
    let report: HomeProbeReport

    /// What was found, in the order of the checks.
    var findings: [Finding] {
        var findings = Self.findings(of: report.connection, address) + [accessControl, retained]
        findings += [messageSize, queue, latency].compactMap(\.self)
        if let interruption { findings.append(interruption) }
        return findings
    }

    // MARK: The connection

    /// What an accepted connection tells.
    static func findings(of info: MQTTConnectionInfo, _ address: String) -> [Finding] {
        let version = info.version.rawValue
        return [
            .ok(.broker, "\(address) accepts MQTT \(version) at \(info.address)"),
            limits(of: info, address),
        ]
    }

    private var interruption: Finding? {
        report.interruption.map {
            .problem(
                .broker, "\(address) was lost during the diagnosis: \($0.message)",
                remedy: "look for the cause in the broker's log, then run doctor again")
        }
    }

    /// What the CONNACK says, or what is missing in it.
    private static func limits(of info: MQTTConnectionInfo, _ address: String) -> Finding {
        let limits = info.limits
        let packet = limits.maximumPacketSize.map { "\($0) bytes" } ?? "no limit"
        let summary =
            "\(address): Receive Maximum \(limits.receiveMaximum), Maximum Packet Size \(packet), "
            + "Topic Alias Maximum \(limits.topicAliasMaximum), Maximum QoS "
            + "\(limits.maximumQoS.rawValue), keep-alive \(info.keepAlive.brief)"
        if limits.maximumQoS == .atMostOnce {
            return .problem(
                .brokerLimits, "\(summary): commands need QoS 1",
                remedy: "allow QoS 1 in the broker's configuration")
        }
        if !limits.wildcardSubscriptionsAvailable {
            return .problem(
                .brokerLimits, "\(summary): filters with wildcards are not supported",
                remedy: "allow wildcard subscriptions in the broker's configuration")
        }
        if let size = limits.maximumPacketSize, size < largestPacket {
            return .warning(
                .brokerLimits, "\(summary): a payload of 64 KiB does not fit",
                remedy: "raise the maximum packet size of the broker to \(largestPacket) bytes")
        }
        return .ok(.brokerLimits, summary)
    }

    private var messageSize: Finding? {
        guard let takesLarge = report.takesLargePayload else { return nil }
        guard takesLarge else {
            return .ok(.messageSize, "\(address) limits the size of messages")
        }
        return .warning(
            .messageSize,
            "\(address) takes messages of \(BrokerProbe.largePayload) bytes and delivers them: one "
                + "client can fill the memory of the broker and of those that read",
            remedy:
                "limit them; mosquitto: message_size_limit 65536, or as much as the documents of a "
                + "zigbee2mqtt on it need")
    }

    // MARK: Access

    private var accessControl: Finding {
        let filters = report.refusedFilters.map { "subscribing to \($0.key) (\($0.value))" }
        let topics = report.refusedTopics.map { "publishing to \($0.key) (\($0.value))" }
        let refused = filters.sorted() + topics.sorted()
        let remedy =
            "allow this user to write command, command/urgent, desired, hello and fence and to "
            + "read everything below its homes in the broker's access control"
        if !refused.isEmpty {
            return .problem(
                .accessControl, "\(address) refuses \(refused.joined(separator: ", "))",
                remedy: remedy)
        }
        if report.isFenceHeard == false {
            return .problem(
                .accessControl,
                "\(address) accepts messages to the fence of the home, but does not deliver them: its "
                    + "access control forbids to read or write them", remedy: remedy)
        }
        return .ok(
            .accessControl,
            report.connection.version == .v5
                ? "\(address) refuses none of the topics that were tried"
                : "\(address) delivers the fence; MQTT 3.1.1 does not tell which other messages it "
                    + "refuses")
    }

    // MARK: Retained messages

    private var retained: Finding {
        switch report.replay {
        case .toEveryFilter:
            .ok(.retainedMessages, "\(address) replays retained messages to wildcard filters")
        case .toExactFilters:
            .problem(
                .retainedMessages,
                "\(address) replays retained messages to filters without wildcards only: devices "
                    + "that are offline and were never seen are missing",
                remedy: "use a broker that replays to wildcards, such as mosquitto; "
                    + "RabbitMQ does not")
        case .never:
            .problem(
                .retainedMessages,
                "\(address) does not store retained messages: what devices are and how they are is "
                    + "known only while they speak",
                remedy: "allow retained messages; mosquitto: retain_available true")
        case .unknown:
            .warning(
                .retainedMessages,
                "whether \(address) replays retained messages is not known: no device retains "
                    + "anything, and the broker does not let this user try it",
                remedy: "run doctor again when a device is there, or allow this user to write and "
                    + "read below the fence of the home")
        }
    }

    // MARK: Performance

    private var queue: Finding? {
        guard report.isFenceHeard == true else { return nil }
        switch report.queueDepth {
        case .some(.success(.some(let depth))): return queue(of: depth)
        case .some(.success(.none)):
            return unknownQueue("it does not let this user try it below the fence of the home")
        case .some(.failure(let error)):
            return unknownQueue("the trial over another connection failed: \(error.message)")
        case .none: return unknownQueue("the connection was lost before it was tried")
        }
    }

    private func unknownQueue(_ reason: String) -> Finding {
        .warning(
            .brokerQueue,
            "how many messages \(address) keeps for a slow reader is not known: \(reason)",
            remedy: "check the broker's log and configuration; mosquitto: max_connections, "
                + "max_queued_messages and max_queued_bytes")
    }

    private func queue(of depth: Int) -> Finding {
        guard depth < BrokerProbe.burst else {
            return .ok(
                .brokerQueue, "\(address) keeps at least \(depth) messages for a slow reader")
        }
        return .warning(
            .brokerQueue,
            "\(address) kept \(depth) of \(BrokerProbe.burst) messages for a reader that was slow "
                + "for a moment, and dropped the others: acknowledgements and events can be lost",
            remedy: "raise its limits; mosquitto: max_queued_messages 100000 "
                + "(1000 unless it is set) and max_queued_bytes 0 (no limit)")
    }

    private var latency: Finding? {
        guard let latency = report.latency else { return nil }
        let plain = latency.plain.inMilliseconds
        let acknowledged = latency.acknowledged.inMilliseconds
        guard latency.acknowledged - latency.plain > Self.delayedAcknowledgement else {
            return .ok(.latency, "a message to \(address) and back takes \(acknowledged)")
        }
        return .warning(
            .latency,
            "a message to \(address) and back takes \(plain), but \(acknowledged) where the broker "
                + "sends two packets: it waits for TCP acknowledgements",
            remedy: "switch TCP_NODELAY on; mosquitto: set_tcp_nodelay true")
    }
}

extension Duration {
    /// In milliseconds, to a tenth.
    fileprivate var inMilliseconds: String {
        let tenths = Int((seconds * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
