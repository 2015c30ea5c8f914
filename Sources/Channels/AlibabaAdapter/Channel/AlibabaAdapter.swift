internal import Alink
public import Connectivity
public import DeviceDomain

/// The conversation with one device of a platform over a shared ``AlibabaChannel``.
public struct AlibabaAdapter: CommunicationService {
    /// How many messages are buffered for a slow consumer before the oldest are dropped.
    static let messageLimit = 1_000

    public let messages: ObservationStream
    private let device: DeviceID
    private let home: HomeID
    private let channel: AlibabaChannel
    private let id: Int
    private let source: StreamSource<DeviceObservation>

    init(_ device: DeviceID, in home: HomeID, over channel: AlibabaChannel) {
        let id = channel.hub.makeConversationID()
        (messages, source) = ObservationStream.make(
            .dropOldest(limit: Self.messageLimit)
        ) { [weak channel] in channel?.hub.leave(id) }
        self.device = device
        self.home = home
        self.channel = channel
        self.id = id
    }

    /// Waits until the platform has listed its devices, and starts to deliver the device's messages.
    public func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == self.device, "a conversation is with one device")
        try channel.checkHome(home)
        try await channel.join(self.device, id, source)
    }

    /// Builds the JSON of the items of a setting or of the arguments of a service.
    public func prepare(
        _ intent: CommandIntent, sequence: Int
    ) throws(CommunicationError) -> PreparedCommand {
        try channel.checkHome(home)
        return PreparedCommand(
            intent: intent, channel: channel.id, sequence: sequence,
            payload: try channel.payload(of: intent))
    }

    public func sendMessage(
        _ command: PreparedCommand, attempt: Int
    ) async throws(CommunicationError) -> DeliveryReceipt {
        try await channel.send(command)
    }

    public func disconnect() async {
        channel.hub.leave(id)
        source.finish()
    }
}
