public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

/// One conversation of a channel.
struct BridgeConversation: Sendable {
    let device: DeviceID
    let source: StreamSource<DeviceObservation>
}

extension ZigbeeChannel {
    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        ZigbeeAdapter(device, in: home, over: self)
    }

    /// - Throws: `cannotExpress` for a home that is not the bridge's.
    nonisolated func checkHome(_ home: HomeID) throws(CommunicationError) {
        guard home == configuration.home else {
            throw .cannotExpress(
                "the channel \(id) serves the home \(configuration.home), not \(home)")
        }
    }

    /// Delivers a device's messages to a conversation, beginning with what is known.
    func join(
        _ device: DeviceID, _ id: ListenerID, _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        if conversations[id] == nil {
            conversations[id] = BridgeConversation(device: device, source: source)
            for update in model.snapshot(of: .device(device)) {
                source.send(observation(update))
            }
        }
        do throws(MQTTError) {
            try await waitUntilListening()
            if !model.isListed { _ = try await passFence() }
        } catch {
            throw CommunicationError(error)
        }
        guard model.isListed else { throw .noBridge(below: configuration.base) }
        // Without a known presence commands may be tried: the bridge may not track availability.
        if model.presence(of: device) == nil {
            let doubt = DeviceUpdate(device: device, content: .cleared(.presence))
            source.send(observation(doubt))
        }
    }

    /// Ends the delivery to a conversation.
    func leave(_ id: ListenerID) { conversations[id] = nil }
}
