public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

/// Somebody who hears a part of the home.
struct Observer: Sendable {
    let scope: HomeScope
    let sink: ObservationSink
}

extension ZigbeeChannel {
    /// Hears a part of the bridge's home, beginning with what is known. Of another home nothing is
    /// ever heard.
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        guard home == configuration.home else { return ChannelObservation {} }
        let ticket = makeTicket()
        // In one step: what is known comes before what is heard, and nothing twice.
        perform { channel in
            for news in channel.model.snapshot(of: scope) { sink(channel.observation(news)) }
            channel.observers[ticket] = Observer(scope: scope, sink: sink)
            _ = channel.hearing()
        }
        return ChannelObservation { [weak self] in
            self?.perform { $0.observers[ticket] = nil }
        }
    }

    /// Waits for the broker's word on the filter and for the fence behind the retained messages. The
    /// bridge's own are retained, so what is missing then does not come.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard scope.isCovered(by: observers.values.map(\.scope)) else {
            throw .notObserved
        }
        do throws(MQTTError) {
            try await link.granted(hearing())
            let isPassed = try await passFence()
            if model.isListed { return isPassed ? .complete : .incomplete(Self.unfenced) }
            let missing = CommunicationError.noBridge(below: configuration.base)
            return .incomplete(isPassed ? missing.message : Self.unfenced)
        } catch {
            throw CommunicationError(error)
        }
    }

    private static let unfenced = "timed out waiting for retained messages"

    /// Sends a nonce to itself, behind all that the broker has begun to send. The bridge ignores the
    /// topic: see ``BridgeTopic/fence``.
    /// - Returns: whether it came back in time.
    func passFence() async throws(MQTTError) -> Bool {
        var generator = SystemRandomNumberGenerator()
        let nonce = UInt64.random(in: .min ... .max, using: &generator)
        let fence = MQTTMessage(
            topic: try configuration.base.topic(BridgeTopic.fence), payload: Array("\(nonce)".utf8))
        return try await link.passFence(
            publishing: fence,
            until: { $0.topic == fence.topic && $0.payload == fence.payload },
            within: configuration.fenceDeadline)
    }
}

extension CommunicationError {
    /// No bridge has listed its devices.
    static func noBridge(below base: BaseTopic) -> CommunicationError {
        CommunicationError(
            .unreachable,
            "no zigbee2mqtt bridge answers below \(base.text): check that zigbee2mqtt runs, that "
                + "its mqtt.base_topic is \(base.text) and that it may retain messages",
            certainty: .neverLeft, isRetriable: true)
    }
}
