internal import Alink
public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

/// An observer of a part of the home.
struct AlinkObserver: Sendable {
    let scope: HomeScope
    let sink: ObservationSink

    /// Whether it wants an update.
    func wants(_ update: DeviceUpdate) -> Bool {
        if case .telemetry = update.content, scope == .everyDeviceWithoutTelemetry { return false }
        return scope.contains(update.device)
    }
}

extension AlinkChannel {
    /// Observes a part of the channel's home, beginning with what is known. Another home never sends anything.
    public nonisolated func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        guard home == configuration.home else { return ChannelObservation {} }
        let id = ListenerID(on: link)
        // In one step, so that what is known comes first and nothing comes twice.
        eventLoop.perform(on: self) { channel in
            for update in channel.model.snapshot(of: scope) { sink(channel.observation(update)) }
            channel.observers[id] = AlinkObserver(scope: scope, sink: sink)
            channel.startListening()
        }
        return ChannelObservation { [weak self] in
            guard let self else { return }
            eventLoop.perform(on: self) { $0.observers[id] = nil }
        }
    }

    /// Waits until the broker has granted the filters and sent the retained statuses, which the fence shows.
    /// Nothing asks a device for more: what it posts is heard when it posts it.
    public func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        guard home == configuration.home else { return .complete }
        guard scope.isCovered(by: observers.values.map(\.scope)) else { throw .notObserved }
        do throws(MQTTError) {
            try await waitUntilListening()
            return try await passFence() ? .complete : .fenceTimeout
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Removes the status that the broker keeps of a device. One that connects or posts again is there again.
    public func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError) {
        try checkHome(home)
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

    /// Publishes a nonce to the channel itself, behind everything that the broker has begun to send, on a topic
    /// of the subscription that no device has.
    /// - Returns: whether it came back in time.
    func passFence() async throws(MQTTError) -> Bool {
        var generator = SystemRandomNumberGenerator()
        let nonce = UInt64.random(in: .min ... .max, using: &generator)
        let fence = MQTTMessage(
            topic: try MQTTTopic("/sys/homeport/fence/thing/fence"), payload: Array("\(nonce)".utf8)
        )
        return try await link.passFence(publishing: fence, within: configuration.fenceDeadline)
    }
}
