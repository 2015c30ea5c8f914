public import Connectivity
public import DeviceDomain

/// The conversation with one Zigbee device, or with the bridge itself, over a shared
/// ``ZigbeeChannel``.
public struct ZigbeeAdapter: CommunicationService {
    /// How many messages wait for a slow consumer before the oldest go.
    static let messageLimit = 1_000

    public let messages: ObservationStream
    private let device: DeviceID
    private let home: HomeID
    private let channel: ZigbeeChannel
    private let ticket: Ticket
    private let source: StreamSource<Observation>

    init(_ device: DeviceID, in home: HomeID, over channel: ZigbeeChannel) {
        let ticket = channel.makeTicket()
        (messages, source) = ObservationStream.make(
            .dropOldest(limit: Self.messageLimit)
        ) { [weak channel] in
            channel?.perform { $0.leave(ticket) }
        }
        self.device = device
        self.home = home
        self.channel = channel
        self.ticket = ticket
    }

    /// Begins to listen to the device, when the bridge has listed its devices.
    /// - Throws: `unreachable` if no bridge answers below the base topic.
    public func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == self.device, "a conversation is with one device")
        try channel.checkHome(home)
        try await channel.join(self.device, ticket, source)
    }

    /// The JSON of `/set`, which names no topic: a device that was renamed meanwhile gets it under
    /// its new name.
    public func prepare(
        _ intent: CommandIntent, sequence: Int
    ) throws(CommunicationError) -> PreparedCommand {
        try channel.checkHome(home)
        return PreparedCommand(
            intent: intent, channel: channel.id, sequence: sequence,
            payload: try channel.directory.payload(of: intent))
    }

    public func sendMessage(
        _ command: PreparedCommand, attempt: Int
    ) async throws(CommunicationError) -> DeliveryReceipt {
        try await channel.send(command)
    }

    public func disconnect() async {
        await channel.leave(ticket)
        source.finish()
    }
}
