public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

/// One conversation of a channel.
struct AlinkConversation: Sendable {
    let device: DeviceID
    let source: StreamSource<DeviceObservation>
}

extension AlinkChannel {
    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        AlinkAdapter(device, in: home, over: self)
    }

    /// - Throws: `cannotExpress` for a home that the channel does not serve.
    nonisolated func checkHome(_ home: HomeID) throws(CommunicationError) {
        guard home == configuration.home else {
            throw .cannotExpress(
                "the channel \(id) serves the home \(configuration.home), not \(home)")
        }
    }

    /// Delivers a device's messages to a conversation, beginning with what is known.
    func join(
        _ profile: DeviceProfile, _ id: ListenerID, _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        let device = profile.id
        if conversations[id] == nil {
            conversations[id] = AlinkConversation(device: device, source: source)
            for update in model.snapshot(of: .device(device)) {
                source.send(observation(update))
            }
        }
        do throws(MQTTError) {
            try await waitUntilListening()
            if model.presence(of: device) == nil { _ = try await passFence() }
        } catch {
            throw CommunicationError(error)
        }
        if model.recall(profile) { note(device) }
        // Without a known presence commands may be tried: the broker may have no plugin.
        if model.presence(of: device) == nil {
            source.send(observation(DeviceUpdate(device: device, content: .cleared(.presence))))
        }
    }

    /// Ends the delivery to a conversation.
    func leave(_ id: ListenerID) { conversations[id] = nil }
}
