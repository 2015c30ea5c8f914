import Keychain
import ProvisioningProtocol

/// Both sides of a session, which talk to each other.
struct Handshake {
    var client: ClientSession
    var device: DeviceSession
    /// What was sent, client and device in turn.
    private(set) var messages: [[UInt8]] = []

    init(client: ClientSession, device: DeviceSession) {
        self.client = client
        self.device = device
    }

    /// Runs to the end. `spoil` may change a message before it arrives, by its place.
    mutating func run(
        spoil: (Int, inout [UInt8]) -> Void = { _, _ in }
    ) throws(ProvisioningProtocolError) -> (client: SecureChannel, device: SecureChannel)? {
        var request = client.start
        var deviceChannel: SecureChannel?
        while true {
            let reply = try device.receive(arrived(request, spoil))
            deviceChannel = reply.channel ?? deviceChannel
            switch try client.receive(arrived(reply.body, spoil)) {
            case .send(let next): request = next
            case .established(let channel): return deviceChannel.map { (channel, $0) }
            }
        }
    }

    private mutating func arrived(
        _ message: [UInt8], _ spoil: (Int, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var message = message
        spoil(messages.count, &message)
        messages.append(message)
        return message
    }
}
