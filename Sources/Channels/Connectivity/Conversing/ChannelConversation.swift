package import DeviceDomain

/// The conversation with one device over a shared channel.
package struct ChannelConversation<Channel: ConversingChannel>: CommunicationService {
    /// How many messages are buffered for a slow consumer before the oldest are dropped.
    package static var messageLimit: Int { 1_000 }

    package let messages: ObservationStream
    private let device: DeviceID
    private let home: HomeID
    private let channel: Channel
    private let id: ChannelListeners.ID
    private let source: StreamSource<DeviceObservation>

    package init(with device: DeviceID, in home: HomeID, over channel: Channel) {
        let id = channel.listeners.expect()
        (messages, source) = ObservationStream.make(
            .dropOldest(limit: Self.messageLimit)
        ) { [weak listeners = channel.listeners] in listeners?.end(id) }
        self.device = device
        self.home = home
        self.channel = channel
        self.id = id
    }

    package func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == self.device, "a conversation is with one device")
        try channel.listeners.checkHome(home)
        try await channel.join(device.profile, id, source)
    }

    package func prepare(
        _ intent: CommandIntent, sequence: Int
    ) throws(CommunicationError) -> PreparedCommand {
        try channel.listeners.checkHome(home)
        return PreparedCommand(
            intent: intent, channel: channel.id, sequence: sequence,
            payload: try channel.payload(of: intent))
    }

    package func sendMessage(
        _ command: PreparedCommand, attempt: Int
    ) async throws(CommunicationError) -> DeliveryReceipt {
        try await channel.send(command)
    }

    package func disconnect() async {
        channel.listeners.end(id)
        source.finish()
    }
}
