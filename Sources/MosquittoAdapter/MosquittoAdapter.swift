public import Connectivity
public import DeviceDomain

/// The conversation with one device over a shared ``MosquittoChannel``: a small value, of which
/// there may be ten thousand on one connection.
public struct MosquittoAdapter: CommunicationService {
    /// How many messages wait for a slow consumer before the oldest go.
    static let messageLimit = 1_000

    public let messages: IncomingMessages
    private let address: DeviceAddress
    private let channel: MosquittoChannel
    private let ticket: Ticket
    private let source: StreamSource<IncomingMessage>

    init(_ address: DeviceAddress, over channel: MosquittoChannel) {
        let ticket = channel.makeTicket()
        (messages, source) = IncomingMessages.make(
            .dropOldest(limit: Self.messageLimit)
        ) { [weak channel] in
            channel?.perform { $0.leave(address, ticket) }
        }
        self.address = address
        self.channel = channel
        self.ticket = ticket
    }

    public func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == address.device, "a conversation is with one device")
        try await channel.join(address, ticket, source)
    }

    public func sendMessage(
        _ message: OutgoingMessage
    ) async throws(CommunicationError) -> DeliveryReceipt {
        try await channel.send(message, to: address)
    }

    public func disconnect() async {
        await channel.leave(address, ticket)
        source.finish()
    }
}

extension MosquittoChannel {
    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        MosquittoAdapter(DeviceAddress(home: home, device: device), over: self)
    }

    /// Lets a conversation hear its device, and tells it what is retained. It hears the device
    /// from the first moment, so that nothing is lost between subscribing and listening.
    func join(
        _ address: DeviceAddress, _ ticket: Ticket, _ source: StreamSource<IncomingMessage>
    ) async throws(CommunicationError) {
        let wasThere = conversations[address]?[ticket] != nil
        conversations[address, default: [:]][ticket] = source
        do {
            try await cover(address.home, .device(address.device))
        } catch {
            if !wasThere { leave(address, ticket) }
            throw error
        }
        let known = homes[address.home]?.survey.devices[address.device]
        for message in known?.retained(of: address.device, in: address.home) ?? [] {
            source.send(message)
        }
    }

    /// Ends a conversation's hearing.
    func leave(_ address: DeviceAddress, _ ticket: Ticket) {
        conversations[address]?[ticket] = nil
        if conversations[address]?.isEmpty == true { conversations[address] = nil }
    }
}
