internal import Basics
public import Connectivity
public import DeviceDomain
internal import DeviceMessages
internal import MQTTClient
internal import MQTTLink

extension MatterChannel {
    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        ChannelConversation(with: device, in: home, over: self)
    }

    /// Observes a part of the server's home, beginning with what is known. Another home never sends anything.
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        listeners.observation(of: home) { id in
            // In one step, so that what is known comes first and nothing comes twice.
            eventLoop.perform(on: self) { channel in
                channel.listeners.begin(
                    id, observing: scope, knowing: channel.model.snapshot(of: scope), sink)
                channel.connectIfIdle()
            }
        }
    }

    /// Waits until the server has listed its nodes, which it does with one answer.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard listeners.isObserved(scope) else { throw .notObserved }
        try await waitUntilListening()
        return .complete
    }

    /// Delivers a device's messages to a conversation, and waits until the server has listed its nodes.
    package func join(
        _ profile: DeviceProfile, _ id: ChannelListeners.ID,
        _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        let device = profile.id
        listeners.begin(id, with: device, knowing: model.snapshot(of: .device(device)), source)
        try await waitUntilListening()
        // Without it nobody could ever know whether the device is there.
        guard model.device(device) == nil else { return }
        let absence = DeviceUpdate(device: device, content: .presence(Presence(.offline)))
        source.send(listeners.observation(absence))
    }
}
