public import Connectivity
public import DeviceDomain
internal import MQTTClient
internal import MQTTLink

/// The conversation with one device of a Matter server, over a shared ``MatterChannel``.
public struct MatterAdapter: CommunicationService {
    /// How many messages are buffered for a slow consumer before the oldest are dropped.
    static let messageLimit = 1_000

    public let messages: ObservationStream
    private let device: DeviceID
    private let home: HomeID
    private let channel: MatterChannel
    private let number: Int
    private let source: StreamSource<DeviceObservation>

    init(_ device: DeviceID, in home: HomeID, over channel: MatterChannel) {
        let number = channel.makeListenerNumber()
        (messages, source) = ObservationStream.make(
            .dropOldest(limit: Self.messageLimit)
        ) { [weak channel] in
            guard let channel else { return }
            channel.eventLoop.perform(on: channel) { $0.leave(number) }
        }
        self.device = device
        self.home = home
        self.channel = channel
        self.number = number
    }

    /// Waits until the server has listed its nodes, and starts to deliver the device's messages.
    public func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == self.device, "a conversation is with one device")
        try channel.checkHome(home)
        try await channel.join(self.device, number, source)
    }

    /// Builds the requests, without the ids by which they are answered.
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
        await channel.leave(number)
        source.finish()
    }
}
