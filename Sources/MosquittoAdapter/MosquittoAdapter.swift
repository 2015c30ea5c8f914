public import Connectivity
public import DeviceDomain
public import DeviceMessages
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

/// The conversation with one device over a shared ``MosquittoChannel``: a small value, of which
/// there may be ten thousand on one connection.
public struct MosquittoAdapter: CommunicationService {
    /// How many messages wait for a slow consumer before the oldest go.
    static let messageLimit = 1_000

    public let messages: ObservationStream
    private let address: DeviceAddress
    private let channel: MosquittoChannel
    private let ticket: Ticket
    private let source: StreamSource<Observation>

    init(_ address: DeviceAddress, over channel: MosquittoChannel) {
        let ticket = channel.makeTicket()
        (messages, source) = ObservationStream.make(
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

    public func prepare(
        _ intent: CommandIntent, sequence: Int
    ) throws(CommunicationError) -> PreparedCommand {
        let payload = CommandMessage(intent, sequence: sequence).payload
        guard payload.count <= JSONLimits.wire.bytes else {
            throw CommunicationError(
                .cannotExpress,
                "the command has \(payload.count) bytes, and a payload at most "
                    + "\(JSONLimits.wire.bytes); shorten its arguments",
                certainty: .neverLeft)
        }
        return PreparedCommand(
            intent: intent, channel: channel.id, sequence: sequence, payload: payload)
    }

    public func sendMessage(
        _ command: PreparedCommand, attempt: Int
    ) async throws(CommunicationError) -> DeliveryReceipt {
        try await channel.send(command, attempt: attempt)
    }

    public func outcomes(
        of commands: [CommandID]
    ) async throws(CommunicationError) -> [CommandID: RecordedOutcome] {
        try await channel.ask(address, about: commands)
    }

    public func disconnect() async {
        await channel.leave(address, ticket)
        source.finish()
    }
}

/// One conversation of a channel.
struct Conversation: Sendable {
    let source: StreamSource<Observation>
    let wish: MQTTWish
}

extension MosquittoChannel {
    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        MosquittoAdapter(DeviceAddress(home: home, device: device), over: self)
    }

    /// Lets a conversation hear its device. It hears the device from the first moment, so that
    /// nothing is lost between subscribing and listening.
    func join(
        _ address: DeviceAddress, _ ticket: Ticket, _ source: StreamSource<Observation>
    ) async throws(CommunicationError) {
        let wish: MQTTWish
        if let known = conversations[address]?[ticket] {
            wish = known.wish
        } else {
            let subscriptions = TopicSubscription.device(
                address.device, in: address.home, [.presence, .state, .ack],
                controller: configuration.controller)
            wish = link.want(requests(subscriptions), replaying: false, to: sink)
            conversations[address, default: [:]][ticket] = Conversation(
                source: source, wish: wish)
        }
        do {
            try await link.granted(wish)
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Ends a conversation's hearing.
    func leave(_ address: DeviceAddress, _ ticket: Ticket) {
        guard let conversation = conversations[address]?.removeValue(forKey: ticket) else { return }
        if conversations[address]?.isEmpty == true { conversations[address] = nil }
        link.drop(conversation.wish)
    }
}

extension CommandMessage {
    /// The message that says an intent.
    init(_ intent: CommandIntent, sequence: Int) {
        self.init(
            id: intent.id, controller: intent.controller, name: intent.name,
            arguments: intent.arguments, issuedAt: intent.issuedAt, expiresAt: intent.expiresAt,
            sequence: sequence, ifRevision: intent.ifRevision, boot: nil, cause: intent.cause,
            dryRun: intent.isDryRun)
    }
}
