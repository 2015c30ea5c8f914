import Dispatch
import Glibc
import MQTTClient
import Synchronization

/// A broker that accepts one client, sends it bytes and hangs up.
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
        let configuration = configuration(version)
        loop.execute { [loop] in
            Ears.open(ear, configuration, on: loop)
        }
        let peer = accept(listener, nil, nil)
        readConnect(peer)
        let accepted: [UInt8] = version == .v5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]
        write(accepted + bytes, to: peer)
        shutdown(peer, Int32(SHUT_WR))
        ear.end.wait()
        // RST: a port in TIME_WAIT for every input would use them all up.
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(peer, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        close(peer)
        return ear.messages.withLock { $0 }
    }

    private func configuration(_ version: MQTTProtocolVersion) -> MQTTConfiguration {
        guard let broker = try? MQTTBrokerAddress(host: "127.0.0.1", port: port),
            let id = try? MQTTClientID("fuzz")
        else { preconditionFailure("a configuration of constants") }
        return MQTTConfiguration(
            broker: broker, clientID: id, version: version, reconnect: .never)
    }

    private func readConnect(_ peer: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var count = 0
        // Two bytes of header: a CONNECT of ours is shorter than 128.
        while count < 2 || count < 2 + Int(bytes[1]) {
            let got = bytes.withUnsafeMutableBytes { buffer in
                recv(peer, buffer.baseAddress.map { $0 + count }, buffer.count - count, 0)
            }
            guard got > 0 else { preconditionFailure("no CONNECT") }
            count += got
        }
    }

    private func write(_ bytes: [UInt8], to peer: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The client may have hung up in the middle, which is its right.
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Connections by their ears, on the loop's thread.
    private enum Ears {
        static func open(_ ear: Ear, _ configuration: MQTTConfiguration, on loop: MQTTEventLoop) {
            var connection: MQTTConnection?
            connection = MQTTConnection(configuration: configuration, eventLoop: loop) { event in
                switch event {
                case .connected: break
                case .message(let message): ear.messages.withLock { $0.append(message) }
                case .disconnected: connection?.abort()
                case .closed:
                    connection = nil
                    ear.end.signal()
                }
            }
            connection?.start()
        }
    }
}
