internal import Basics
package import DeviceDomain
internal import DeviceTopics
package import MQTTClient
package import MQTTLink

/// Finds out whether the nodes of a cluster pass messages to each other, with messages on a topic that nobody else uses
/// and below it. What it retains for that it removes again.
package struct ClusterProbe: Sendable {
    private let nodes: [MQTTLinkConfiguration]
    private let eventLoop: MQTTEventLoop
    /// A topic that nobody else uses.
    private let own: String
    private let limit: Duration

    /// - Parameters:
    ///   - nodes: how each is reached, by one address.
    ///   - home: the messages are published below its fence.
    ///   - limit: how long a message may take from one node to another.
    package init(
        _ nodes: [MQTTLinkConfiguration], in home: HomeID, limit: Duration,
        on eventLoop: MQTTEventLoop
    ) {
        self.nodes = nodes
        self.limit = limit
        self.eventLoop = eventLoop
        own = "\(DeviceTopic.fence(home))/\(String.randomHex(digits: 16))"
    }

    /// Connects to every node, and tries each way.
    /// - Returns: what was found of each way from one node to another.
    /// - Throws: why a node could not be connected to, or was lost.
    package func run() async throws(MQTTError) -> [ClusterPath] {
        var connections: [ProbeConnection] = []
        do throws(MQTTError) {
            for node in nodes {
                let connection = try ProbeConnection(node, on: eventLoop)
                _ = try await connection.open()
                connections.append(connection)
                try await connection.subscribe([
                    MQTTSubscriptionRequest(MQTTTopicFilter(own))
                ])
            }
            var paths: [ClusterPath] = []
            for start in connections.indices {
                paths += try await ways(from: start, over: connections)
            }
            await close(connections)
            return paths
        } catch {
            await close(connections)
            throw error
        }
    }

    private func close(_ connections: [ProbeConnection]) async {
        for connection in connections { await connection.close() }
    }

    /// A message behind a retained one tells that this has come as far as it goes.
    private func ways(
        from start: Int, over connections: [ProbeConnection]
    ) async throws(MQTTError) -> [ClusterPath] {
        let topic = try MQTTTopic("\(own)/\(start)")
        let payload = Array(topic.rawValue.utf8)
        let kept = try await connections[start].publish(
            MQTTMessage(
                topic: topic, payload: payload, retain: true,
                properties: nodes[start].version == .v5
                    ? MQTTProperties(messageExpirySeconds: 60) : .none))
        var arrivals: [(end: Int, slot: AnswerSlot<Bool>)] = []
        for end in connections.indices where end != start {
            let slot = await connections[end].expect(within: limit) { $0.payload == payload }
            arrivals.append((end, slot))
        }
        let sent = try await connections[start].publish(
            MQTTMessage(topic: MQTTTopic(own), payload: payload))
        var paths: [ClusterPath] = []
        for (end, slot) in arrivals {
            if sent.isError { slot.resolve(false) }
            let delivers = await slot.value(ifCancelled: false)
            var path = ClusterPath(
                from: nodes[start].broker, to: nodes[end].broker,
                delivers: sent.isError ? nil : delivers)
            if delivers, !kept.isError {
                path.replays = try await isReplayed(payload, topic, over: connections[end])
            }
            paths.append(path)
        }
        try await connections[start].publish(MQTTMessage(topic: topic, payload: [], retain: true))
        return paths
    }

    private func isReplayed(
        _ payload: [UInt8], _ topic: MQTTTopic, over connection: ProbeConnection
    ) async throws(MQTTError) -> Bool {
        let replayed = await connection.expect(within: limit) {
            $0.topic == topic && $0.payload == payload
        }
        try await connection.subscribe([
            MQTTSubscriptionRequest(MQTTTopicFilter(topic.rawValue))
        ])
        return await replayed.value(ifCancelled: false)
    }
}

/// The way of messages from one node of a cluster to another.
package struct ClusterPath: Hashable, Sendable {
    /// Where they are published.
    package let from: MQTTBrokerAddress
    /// Where somebody has subscribed.
    package let to: MQTTBrokerAddress
    /// Whether one arrives; `nil` where the node did not let this user publish it.
    package var delivers: Bool?
    /// Whether one that is retained at the first is there for who subscribes at the other later; `nil` where that
    /// could not be tried.
    package var replays: Bool?

    package init(
        from: MQTTBrokerAddress, to: MQTTBrokerAddress, delivers: Bool? = nil, replays: Bool? = nil
    ) {
        self.from = from
        self.to = to
        self.delivers = delivers
        self.replays = replays
    }
}
