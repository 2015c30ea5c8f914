public import DeviceDomain

/// Talks with one device by the strategy that was chosen for it.
public struct DeviceCommunicator: Sendable {
    /// The device.
    public let device: any Device
    /// The channel that was chosen, and why.
    public let choice: ChannelChoice
    private let service: any CommunicationService

    /// A communicator that follows a choice.
    public init(device: any Device, choice: ChannelChoice) {
        self.device = device
        self.choice = choice
        service = choice.channel.service(for: device.id, in: device.profile.home)
    }

    /// Begins to listen: see ``CommunicationService/connect(to:)``.
    public func connect() async throws(CommunicationError) {
        try await service.connect(to: device)
    }

    /// Hands over a message: see ``CommunicationService/sendMessage(_:)``.
    public func send(_ message: OutgoingMessage) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try await service.sendMessage(message)
    }

    /// What the device says; one consumer.
    public var messages: IncomingMessages { service.messages }

    /// The changes of the channel's link, beginning with its present state.
    public func linkStates() -> LinkStates { choice.channel.linkStates() }

    /// Ends the conversation.
    public func disconnect() async { await service.disconnect() }
}
