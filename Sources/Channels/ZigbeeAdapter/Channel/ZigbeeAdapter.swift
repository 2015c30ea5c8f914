public import Connectivity
public import DeviceDomain
internal import MQTTLink

/// The conversation with one Zigbee device, or with the bridge itself, over a shared
/// ``ZigbeeChannel``.
public struct ZigbeeAdapter: CommunicationService {
    /// How many messages are buffered for a slow consumer before the oldest are dropped.
    static let messageLimit = 1_000

    public let messages: ObservationStream
    private let device: DeviceID
    private let home: HomeID
    private let channel: ZigbeeChannel
    private let id: ListenerID
    private let source: StreamSource<DeviceObservation>

    init(_ device: DeviceID, in home: HomeID, over channel: ZigbeeChannel) {
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

    /// Waits until the bridge has listed its devices, and starts to deliver the device's messages.
    /// - Throws: `unreachable` if no bridge answers below the base topic.
    public func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == self.device, "a conversation is with one device")
        try channel.checkHome(home)
        try await channel.join(self.device, id, source)
    }

    /// Builds the JSON for `/set`. It contains no topic, so a device that is renamed before the command
    /// is sent gets it under its new name.
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
