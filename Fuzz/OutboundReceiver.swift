import MQTTClient

/// The broker's side: takes what comes, holds its answers back while the client may send more, and
/// checks that the limits are kept.
struct OutboundReceiver {
    /// PUBLISH packets that came.
    private(set) var received = 0
    private let plan: OutboundPlan
    private let peer: FuzzPeer
    /// Packet identifiers and QoS of what has no answer yet.
    private var held: [(identifier: [UInt8], qos: UInt8)] = []
    /// Messages of QoS 1 and 2 that are not done.
    private var open = 0
    private var confirmed = 0

    init(_ plan: OutboundPlan, _ peer: FuzzPeer) {
        self.plan = plan
        self.peer = peer
    }

    mutating func serve(_ publisher: OutboundPublisher) {
        var next: [[OutboundMessage]] = []
        while let packet = peer.read() {
            precondition(
                packet.size <= Int(plan.maximumPacketSize ?? .max), "a packet that is too large")
            switch packet.header >> 4 {
            case 3:
                if received == 0 { next = Self.queues(publisher.expected) }
                publish(packet, &next)
            case 6:
                open -= 1
                peer.write([0x70, 2] + packet.body.prefix(2))
            case 14: break
            default: preconditionFailure("an unexpected packet")
            }
            answerIfDue(allCame: next.last?.isEmpty ?? true)
        }
    }

    /// What comes at QoS 0, and what above: order holds among each.
    private static func queues(_ messages: [OutboundMessage]) -> [[OutboundMessage]] {
        [
            messages.filter { $0.value.qos == .atMostOnce }.reversed(),
            messages.filter { $0.value.qos > .atMostOnce }.reversed(),
        ]
    }

    private mutating func publish(_ packet: FuzzPeer.Packet, _ next: inout [[OutboundMessage]]) {
        received += 1
        let qos = packet.header >> 1 & 0x03
        guard let message = next[qos == 0 ? 0 : 1].popLast() else {
            preconditionFailure("a message that was refused, or came twice")
        }
        precondition(packet.size == message.size, "a packet of another size")
        precondition(qos == message.value.qos.rawValue, "another QoS")
        precondition(packet.header & 0x08 == 0, "sent twice")
        precondition((packet.header & 1 == 1) == message.value.retain, "another retain")
        precondition(
            packet.body.suffix(message.value.payload.count).elementsEqual(message.value.payload),
            "another payload")
        guard qos > 0 else { return }
        open += 1
        precondition(open <= plan.window, "more are open than may be")
        let start = 2 + Int(packet.body[0]) << 8 + Int(packet.body[1])
        held.append((Array(packet.body[start..<start + 2]), qos))
    }

    private mutating func answerIfDue(allCame: Bool) {
        guard !held.isEmpty, allCame || open == plan.window else { return }
        if plan.answersBackwards { held.reverse() }
        for (identifier, qos) in held {
            if qos == 1 { open -= 1 }
            peer.write([qos == 1 ? 0x40 : 0x50, 2] + identifier)
        }
        held = []
    }
}
