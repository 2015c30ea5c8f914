public import Connectivity
public import DeviceDomain
internal import MQTTLink

/// The conversation with one device over a shared ``AlinkChannel``.
public struct AlinkAdapter: CommunicationService {
    /// How many messages are buffered for a slow consumer before the oldest are dropped.
    static let messageLimit = 1_000

    public let messages: ObservationStream
    private let device: DeviceID
    private let home: HomeID
    private let channel: AlinkChannel
    private let id: ListenerID
    private let source: StreamSource<DeviceObservation>

    init(_ device: DeviceID, in home: HomeID, over channel: AlinkChannel) {
        let id = ListenerID(on: channel.link)
        (messages, source) = ObservationStream.make(
            .dropOldest(limit: Self.messageLimit)
        ) { [weak channel] in
            guard let channel else { return }
            channel.eventLoop.perform(on: channel) { $0.leave(id) }
        }
        self.device = device
        self.home = home
        self.channel = channel
        self.id = id
    }

    /// Starts to deliver the device's messages. A device that the broker says nothing of is taken as the ledger
    /// describes it.
    public func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == self.device, "a conversation is with one device")
        try channel.checkHome(home)
        try await channel.join(device.profile, id, source)
    }

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
        await channel.leave(id)
        source.finish()
    }
}
