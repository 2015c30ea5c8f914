public import Connectivity
public import DeviceDomain
public import DeviceMessages
internal import DeviceTopics
internal import MQTTClient
internal import MQTTLink

/// The conversation with one device over a shared ``MosquittoChannel``. One connection may serve ten
/// thousand of them.
public struct MosquittoAdapter: CommunicationService {
    /// How many messages are buffered for a slow consumer before the oldest are dropped.
    static let messageLimit = 1_000

    public let messages: ObservationStream
    private let address: DeviceAddress
    private let channel: MosquittoChannel
    private let id: ListenerID
    private let source: StreamSource<DeviceObservation>

    init(_ address: DeviceAddress, over channel: MosquittoChannel) {
        let id = ListenerID(on: channel.link)
        (messages, source) = ObservationStream.make(
            .dropOldest(limit: Self.messageLimit)
        ) { [weak channel] in
            guard let channel else { return }
            channel.eventLoop.perform(on: channel) { $0.leave(address, id) }
        }
        self.address = address
        self.channel = channel
        self.id = id
    }

    public func connect(to device: any Device) async throws(CommunicationError) {
        precondition(device.id == address.device, "a conversation is with one device")
        try await channel.join(address, id, source)
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
        try await channel.queryOutcomes(of: commands, from: address)
    }

    public func desiredSettings() async throws(CommunicationError) -> DesiredReading {
        try await channel.desiredSettings(of: address)
    }

    public func keep(_ settings: DesiredSettings) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try await channel.keep(settings, for: address)
    }

    public func disconnect() async {
        await channel.leave(address, id)
        source.finish()
    }
}

/// One conversation of a channel.
struct Conversation: Sendable {
    let source: StreamSource<DeviceObservation>
    let subscription: MQTTLinkSubscription
}

extension MosquittoChannel {
    public nonisolated func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        MosquittoAdapter(DeviceAddress(home: home, device: device), over: self)
    }

    /// Delivers a device's messages to a conversation. It is registered before the broker is asked, so
    /// that no message is lost.
    func join(
        _ address: DeviceAddress, _ id: ListenerID, _ source: StreamSource<DeviceObservation>
    ) async throws(CommunicationError) {
        let subscription: MQTTLinkSubscription
        if let known = conversations[address]?[id] {
            subscription = known.subscription
        } else {
            subscription = link.subscribe(
                to: .device(
                    address.device, in: address.home, [.presence, .state, .ack],
                    controller: configuration.controller),
                replaying: false)
            conversations[address, default: [:]][id] = Conversation(
                source: source, subscription: subscription)
        }
        do {
            try await link.waitUntilGranted(subscription)
        } catch {
            throw CommunicationError(error)
        }
    }

    /// Ends the delivery to a conversation.
    func leave(_ address: DeviceAddress, _ id: ListenerID) {
        guard let conversation = conversations[address]?.removeValue(forKey: id) else { return }
        if conversations[address]?.isEmpty == true { conversations[address] = nil }
        link.unsubscribe(conversation.subscription)
    }
}

extension CommandMessage {
    /// The command message for an intent.
    init(_ intent: CommandIntent, sequence: Int) {
        self.init(
            id: intent.id, controller: intent.controller, name: intent.name,
            arguments: intent.arguments, issuedAt: intent.issuedAt, expiresAt: intent.expiresAt,
            sequence: sequence, ifRevision: intent.ifRevision, boot: nil, cause: intent.cause,
            dryRun: intent.isDryRun)
    }
}
