import Glibc
import TestSupport

/// A broker that replays retained messages to filters without wildcards only, as RabbitMQ does.
struct ForgetfulBroker {
    private let peer: FakeBrokerPeer
    private var filters: [String] = []
    private var retained: [String: [UInt8]] = [:]

    private init(_ peer: FakeBrokerPeer) { self.peer = peer }

    /// Serves a client until it leaves.
    static func serve(_ peer: FakeBrokerPeer) {
        var broker = ForgetfulBroker(peer)
        // The client may leave at any time.
        try? broker.run()
        peer.cut()
    }

    private mutating func run() throws {
        try peer.acceptConnect()
        while true {
            let packet = try peer.read()
            switch packet.kind {
            case .subscribe: try subscribe(packet)
            case .publish: try publish(packet)
            case .pingreq: try peer.send(.pingresp)
            case .disconnect: return
            default: break
            }
        }
    }

    private mutating func subscribe(_ packet: FakeBrokerPacket) throws {
        let added = try packet.filters(peer.version).map(\.filter)
        filters += added
        try peer.send(.suback(peer.version, packet.identifier, codes: added.map { _ in 0 }))
        for filter in added {
            guard let payload = retained[filter] else { continue }
            try peer.send(
                .publish(peer.version, topic: filter, payload: payload, retain: true))
        }
    }

    private mutating func publish(_ packet: FakeBrokerPacket) throws {
        let topic = packet.topic
        if packet.header & 1 == 1 { retained[topic] = try packet.payload() }
        if filters.contains(topic) {
            try peer.send(.publish(peer.version, topic: topic, payload: packet.payload()))
        }
        if packet.publishQoS > 0 { try peer.send(.puback(packet.publishIdentifier)) }
    }
}

/// Lets the broker, which may run as another user, read what lies in a folder.
func chmodToReadable(_ folder: String) -> Bool { chmod(folder, 0o755) == 0 }
