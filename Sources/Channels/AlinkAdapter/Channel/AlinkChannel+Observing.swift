internal import Alink
public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

extension AlinkChannel {
    /// Observes a part of the channel's home, beginning with what is known. Another home never sends anything.
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

    /// Waits until the broker has granted the filters and sent the retained statuses, which the fence shows.
    /// Nothing asks a device for more: what it posts is heard when it posts it.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard listeners.isObserved(scope) else { throw .notObserved }
        do throws(MQTTError) {
            try await waitUntilListening()
            return try await passFence() ? .complete : .fenceTimeout
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Removes the status that the broker keeps of a device. One that connects or posts again is there again.
    public func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError) {
        try listeners.checkHome(home)
        guard let name = model.devices[device]?.name else { return }
        let receipt: DeliveryReceipt
        do throws(MQTTError) {
            let removal = MQTTMessage(
                topic: try MQTTTopic(AlinkTopic(name, .status).text), payload: [], retain: true)
            receipt = DeliveryReceipt(try await link.publish(removal))
        } catch {
            throw CommunicationError(error)
        }
        if case .refused(_, let reason) = receipt {
            throw CommunicationError(.notPermitted, reason, certainty: .neverLeft)
        }
    }

    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        ChannelConversation(with: device, in: home, over: self)
    }

    /// Delivers a device's messages to a conversation. A device that the broker says nothing of is taken as the
    /// ledger describes it.
    package func join(
        _ profile: DeviceProfile, _ id: ChannelListeners.ID,
        _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        let device = profile.id
        listeners.begin(id, with: device, knowing: model.snapshot(of: .device(device)), source)
        do throws(MQTTError) {
            try await waitUntilListening()
            if model.presence(of: device) == nil { _ = try await passFence() }
        } catch {
            throw CommunicationError(error)
        }
        if model.recall(profile) { note(device) }
        if model.presence(of: device) == nil {
            source.send(listeners.observation(model.standIn(for: device)))
        }
    }

    /// After a new connection: has commands wait for the devices of which the broker tells nothing any more, such
    /// as one that has forgotten the retained statuses. Until then a device that was there before may still be.
    func expectStatuses() {
        let connection = connections
        eventLoop.schedule(after: configuration.fenceDeadline) { [weak self] in
            self?.assumeIsolated { channel in
                guard channel.connections == connection else { return }
                for device in channel.model.unheard {
                    channel.listeners.tell(channel.model.standIn(for: device))
                }
            }
        }
    }

    /// Waits for everything that the broker has begun to send, by a topic of the subscription that no device has.
    /// - Returns: whether it came in time.
    func passFence() async throws(MQTTError) -> Bool {
        try await link.passFence(
            on: try MQTTTopic("/sys/homeport/fence/thing/fence"),
            within: configuration.fenceDeadline)
    }
}
