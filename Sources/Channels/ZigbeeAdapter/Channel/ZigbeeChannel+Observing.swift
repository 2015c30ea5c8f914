public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

extension ZigbeeChannel {
    /// Observes a part of the bridge's home, beginning with what is known. Another home never sends
    /// anything.
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        listeners.observation(of: home) { id in
            // In one step, so that what is known comes first and nothing comes twice.
            eventLoop.perform(on: self) { channel in
                channel.listeners.begin(
                    id, observing: scope, knowing: channel.model.snapshot(of: scope), sink)
                channel.startListening()
            }
        }
    }

    /// Waits until the broker has granted the filter and sent the retained messages, which the fence
    /// shows. The bridge retains its device list, so a list that is missing then does not exist.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard listeners.isObserved(scope) else { throw .notObserved }
        do throws(MQTTError) {
            try await waitUntilListening()
            let isPassed = try await passFence()
            guard isPassed else { return .fenceTimeout }
            if !model.isListed, let fault { return .incomplete(fault.message) }
            return .complete
        } catch {
            throw CommunicationError(error)
        }
    }

    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        ChannelConversation(with: device, in: home, over: self)
    }

    /// Delivers the messages of a device or of the bridge itself to a conversation, and waits until the bridge has
    /// listed its devices.
    /// - Throws: `unreachable` if it has none: see ``fault``.
    package func join(
        _ profile: DeviceProfile, _ id: ChannelListeners.ID,
        _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        let device = profile.id
        listeners.begin(id, with: device, knowing: model.snapshot(of: .device(device)), source)
        do throws(MQTTError) {
            try await waitUntilListening()
            if !model.isListed { _ = try await passFence() }
        } catch {
            throw CommunicationError(error)
        }
        if !model.isListed, let fault { throw .away(fault.message) }
        // The bridge may not track availability.
        if model.presence(of: device) == nil {
            source.send(listeners.observation(.unknownPresence(of: device)))
        }
    }

    /// Waits for everything that the broker has begun to send. The bridge ignores the topic: see
    /// ``BridgeTopic/fence``.
    /// - Returns: whether it came in time.
    func passFence() async throws(MQTTError) -> Bool {
        try await link.passFence(
            on: try configuration.base.topic(BridgeTopic.fence),
            within: configuration.fenceDeadline)
    }
}
