import Dispatch
import Glibc
import MQTTClient
import Synchronization

/// A broker for one client after the other.
final class FuzzBroker: Sendable {
    /// The one of this process: an input shall cost a connection and nothing else.
    static let current = FuzzBroker()

    /// What a client heard until its connection ended.
    private final class Ear: Sendable {
        let messages = Mutex<[MQTTMessage]>([])
        let end = DispatchSemaphore(value: 0)
    }

    private let listener: Int32
    private let port: UInt16
    private let loop: MQTTEventLoop

    private init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        guard isListening, let loop = try? MQTTEventLoop(label: "fuzz") else {
            preconditionFailure("no broker for the fuzzer")
        }
        port = UInt16(bigEndian: address.sin_port)
        self.loop = loop
    }

    /// The messages that a client makes of the bytes, sent behind CONNACK.
    func messages(from bytes: [UInt8], version: MQTTProtocolVersion) -> [MQTTMessage] {
        let ear = Ear()
        let peer = accept(configuration(version)) { _, event in
            if case .message(let message) = event { ear.messages.withLock { $0.append(message) } }
        } onClose: {
            ear.end.signal()
        }
        peer.write(Self.connack(version) + bytes)
        peer.finishWriting()
        ear.end.wait()
        peer.reset()
        return ear.messages.withLock { $0 }
    }

    /// Has a client connect, and reads its CONNECT. `handler` is called on the loop.
    func accept(
        _ configuration: MQTTConfiguration,
        handler: @escaping @Sendable (MQTTConnection, MQTTConnectionEvent) -> Void,
        onClose: @escaping @Sendable () -> Void
    ) -> FuzzPeer {
        loop.execute { [loop] in
            Ears.open(configuration, on: loop, handler, onClose)
        }
        let peer = FuzzPeer(acceptedBy: listener)
        guard peer.read() != nil else { preconditionFailure("no CONNECT") }
        return peer
    }

    /// A configuration for this broker, which it does not come back to.
    func configuration(_ version: MQTTProtocolVersion) -> MQTTConfiguration {
        guard let broker = try? MQTTBrokerAddress(host: "127.0.0.1", port: port),
            let id = try? MQTTClientID("fuzz")
        else { preconditionFailure("a configuration of constants") }
        return MQTTConfiguration(
            broker: broker, clientID: id, version: version, reconnect: .never)
    }

    /// An acceptance, with fewer than 126 bytes of properties on version 5.
    static func connack(_ version: MQTTProtocolVersion, properties: [UInt8] = []) -> [UInt8] {
        let list = version == .v5 ? [UInt8(properties.count)] + properties : []
        return [0x20, UInt8(2 + list.count), 0, 0] + list
    }

    /// Connections, which live on the loop's thread until they are closed.
    private enum Ears {
        static func open(
            _ configuration: MQTTConfiguration, on loop: MQTTEventLoop,
            _ handler: @escaping (MQTTConnection, MQTTConnectionEvent) -> Void,
            _ onClose: @escaping () -> Void
        ) {
            var connection: MQTTConnection?
            connection = MQTTConnection(configuration: configuration, eventLoop: loop) { event in
                if let connection { handler(connection, event) }
                switch event {
                case .connected, .message, .skipped: break
                case .disconnected: connection?.abort()
                case .closed:
                    connection = nil
                    onClose()
                }
            }
            connection?.start()
        }
    }
}
