public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

/// An observer of a part of the home.
struct BridgeObserver: Sendable {
    let scope: HomeScope
    let sink: ObservationSink
}

extension ZigbeeChannel {
    /// Observes a part of the bridge's home, beginning with what is known. Another home never sends
    /// anything.
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        guard home == configuration.home else { return ChannelObservation {} }
        let id = ListenerID(on: link)
        // In one step, so that what is known comes first and nothing comes twice.
        eventLoop.perform(on: self) { channel in
            for update in channel.model.snapshot(of: scope) { sink(channel.observation(update)) }
            channel.observers[id] = BridgeObserver(scope: scope, sink: sink)
            channel.startListening()
        }
        return ChannelObservation { [weak self] in
            guard let self else { return }
            eventLoop.perform(on: self) { $0.observers[id] = nil }
        }
    }

    /// Waits until the broker has granted the filter and sent the retained messages, which the fence
    /// shows. The bridge retains its device list, so a list that is missing then does not exist.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard scope.isCovered(by: observers.values.map(\.scope)) else {
            throw .notObserved
        }
        do throws(MQTTError) {
            try await waitUntilListening()
            let isPassed = try await passFence()
            guard isPassed else { return .fenceTimeout }
            guard model.isListed else {
                return .incomplete(CommunicationError.noBridge(below: configuration.base).message)
            }
            return .complete
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Publishes a nonce to the channel itself, behind everything that the broker has begun to send. The
    /// bridge ignores the topic: see ``BridgeTopic/fence``.
    /// - Returns: whether it came back in time.
    func passFence() async throws(MQTTError) -> Bool {
        var generator = SystemRandomNumberGenerator()
        let nonce = UInt64.random(in: .min ... .max, using: &generator)
        let fence = MQTTMessage(
            topic: try configuration.base.topic(BridgeTopic.fence), payload: Array("\(nonce)".utf8))
        return try await link.passFence(publishing: fence, within: configuration.fenceDeadline)
    }
}

extension CommunicationError {
    /// No bridge has published a device list.
    static func noBridge(below base: BaseTopic) -> CommunicationError {
        CommunicationError(
            .unreachable,
            "no zigbee2mqtt bridge answers below \(base.text): check that zigbee2mqtt runs, that "
                + "its mqtt.base_topic is \(base.text) and that it may retain messages",
            certainty: .neverLeft, isRetriable: true)
    }
}
