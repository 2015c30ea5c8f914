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
        MatterAdapter(device, in: home, over: self)
    }

    /// Observes a part of the server's home, beginning with what is known. Another home never sends anything.
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        guard home == configuration.home else { return ChannelObservation {} }
        let number = makeListenerNumber()
        // In one step, so that what is known comes first and nothing comes twice.
        eventLoop.perform(on: self) { channel in
            for update in channel.model.snapshot(of: scope) { sink(channel.observation(update)) }
            channel.listeners.add(number, scope, sink)
            channel.connectIfIdle()
        }
        return ChannelObservation { [weak self] in
            guard let self else { return }
            eventLoop.perform(on: self) { $0.listeners.remove(number) }
        }
    }

    /// Waits until the server has listed its nodes, which it does with one answer.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard scope.isCovered(by: listeners.scopes) else {
            throw CommunicationError(
                .cannotExpress, "this part of the home is not observed", certainty: .neverLeft)
        }
        try await waitUntilListening()
        return .complete
    }

    /// - Throws: `cannotExpress` for a home that is not the server's.
    nonisolated func checkHome(_ home: HomeID) throws(CommunicationError) {
        guard home == configuration.home else {
            throw .cannotExpress(
                "the channel \(id) serves the home \(configuration.home), not \(home)")
        }
    }

    /// Delivers a device's messages to a conversation, beginning with what is known.
    func join(
        _ device: DeviceID, _ number: Int, _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        if listeners.add(number, device, source) {
            for update in model.snapshot(of: .device(device)) { source.send(observation(update)) }
        }
        try await waitUntilListening()
        // Without it nobody could ever know whether the device is there.
        guard model.device(device) == nil else { return }
        source.send(
            observation(DeviceUpdate(device: device, content: .presence(Presence(.offline)))))
    }

    /// Ends the delivery to a conversation.
    func leave(_ number: Int) { listeners.remove(number) }
}
