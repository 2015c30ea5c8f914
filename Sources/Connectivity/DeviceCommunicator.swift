public import DeviceDomain
public import DeviceMessages

/// Communicates with one device over the channel that was chosen for it.
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

    /// Begins to observe the device: see ``CommunicationService/connect(to:)``.
    public func connect() async throws(CommunicationError) {
        try await service.connect(to: device)
    }

    /// The bytes of a command: see ``CommunicationService/prepare(_:sequence:)``.
    public func prepare(_ intent: CommandIntent, sequence: Int) throws(CommunicationError)
        -> PreparedCommand
    {
        try service.prepare(intent, sequence: sequence)
    }

    /// Sends a command: see ``CommunicationService/sendMessage(_:attempt:)``.
    public func send(_ command: PreparedCommand, attempt: Int) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try await service.sendMessage(command, attempt: attempt)
    }

    /// Queries the outcome of commands: see ``CommunicationService/outcomes(of:)``.
    public func outcomes(of commands: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]
    {
        try await service.outcomes(of: commands)
    }

    /// Reads the settings that the link keeps: see ``CommunicationService/desiredSettings()``.
    public func desiredSettings() async throws(CommunicationError) -> DesiredReading {
        try await service.desiredSettings()
    }

    /// Replaces the settings that the link keeps: see ``CommunicationService/keep(_:)``.
    public func keep(_ settings: DesiredSettings) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try await service.keep(settings)
    }

    /// Messages of the device; one consumer.
    public var messages: ObservationStream { service.messages }

    /// What the channel can report and guarantee.
    public var traits: ChannelTraits { choice.channel.traits }

    /// The changes of the channel's link, beginning with its present state.
    public func linkStates() -> LinkStates { choice.channel.linkStates() }

    /// Ends the conversation.
    public func disconnect() async { await service.disconnect() }
}
