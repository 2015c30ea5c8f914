import Connectivity
import DeviceDomain

/// The conversation of a ``ScriptedChannel`` with one device.
struct ScriptedService: CommunicationService {
    let messages: IncomingMessages
    private let source: StreamSource<IncomingMessage>
    private let channel: ScriptedChannel
    private let device: DeviceID
    private let home: HomeID

    init(channel: ScriptedChannel, device: DeviceID, home: HomeID) {
        (messages, source) = IncomingMessages.make(.dropOldest(limit: 256))
        self.channel = channel
        self.device = device
        self.home = home
    }

    func connect(to device: any Device) async throws(CommunicationError) {
        try channel.connect(self.device, in: home, to: source)
    }

    func sendMessage(_ message: OutgoingMessage) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try await channel.send(message, to: device, in: home)
    }

    func disconnect() async { channel.disconnect(device, in: home) }
}
