internal import Basics
private import Glibc
private import MQTTClient

/// One client of a ``FakeBroker``. Reads block for at most 20 s.
package final class FakeBrokerPeer: Sendable {
    private let descriptor: Int32
    private let negotiated = Guarded(FakeBrokerVersion.v5)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one,
            socklen_t(MemoryLayout<Int32>.size))
    }

    /// The other end is a broker that listens on this machine.
    package static func connected(to port: UInt16) throws(TestSupportError) -> FakeBrokerPeer {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw TestSupportError("no socket: errno \(errno)") }
        let peer = FakeBrokerPeer(descriptor: descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw TestSupportError("no broker at \(port): errno \(errno)") }
        return peer
    }

    /// The version that the client asked for in CONNECT.
    package var version: FakeBrokerVersion { negotiated.withLock { $0 } }

    // MARK: Reading

    /// The next packet, whatever it is; throws when the client has closed.
    package func read() throws(TestSupportError) -> FakeBrokerPacket {
        guard let header = try readExactly(1).first else { throw TestSupportError("no header") }
        var length = 0
        var shift = 0
        while true {
            guard let byte = try readExactly(1).first, shift < 28 else {
                throw TestSupportError("the remaining length is malformed")
            }
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { break }
        }
        return FakeBrokerPacket(header: header, body: try readExactly(length))
    }

    /// The next packet, which must be of that kind.
    package func read(_ kind: FakeBrokerPacket.Kind) throws(TestSupportError) -> FakeBrokerPacket {
        let packet = try read()
        guard packet.kind == kind else {
            throw TestSupportError("expected \(kind), not \(packet)")
        }
        return packet
    }

    /// The client's CONNECT; remembers its version.
    package func readConnect() throws -> FakeBrokerConnect {
        let connect = try FakeBrokerConnect(read(.connect))
        negotiated.withLock { $0 = connect.version }
        return connect
    }

    /// Reads the client's CONNECT and accepts it.
    package func acceptConnect() throws {
        _ = try readConnect()
        try send(.connack(version))
    }

    /// Reads and forgets until the client closes; returns the kinds of packets that came.
    package func readToEnd() -> [FakeBrokerPacket.Kind] {
        var kinds: [FakeBrokerPacket.Kind] = []
        while let packet = try? read() { kinds.append(packet.kind) }
        return kinds
    }

    /// The next bytes, which need not be a packet.
    package func read(bytes count: Int) throws(TestSupportError) -> [UInt8] {
        try readExactly(count)
    }

    /// Whether the client has sent something that is not read yet.
    package var hasInput: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// How many TCP segments with data have come; nil if the system does not tell.
    package var dataSegments: UInt32? {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { info in
            // `tcpi_data_segs_in` of the kernel's `struct tcp_info`, which glibc cuts off before.
            let position = 152
            var size = socklen_t(info.count)
            guard
                getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, info.baseAddress, &size) == 0,
                Int(size) >= position + MemoryLayout<UInt32>.size
            else { return nil }
            return info.load(fromByteOffset: position, as: UInt32.self)
        }
    }

    private func readExactly(_ count: Int) throws(TestSupportError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var offset = 0
        while offset < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress.map { $0 + offset }, count - offset, 0)
            }
            guard got > 0 else { throw TestSupportError("the client closed (errno \(errno))") }
            offset += got
        }
        return bytes
    }

    /// Reads a SUBSCRIBE and answers it with these codes, or grants everything.
    /// - Returns: its filters.
    @discardableResult
    package func acceptSubscribe(_ codes: [UInt8]? = nil) throws -> [String] {
        let packet = try read(.subscribe)
        let filters = try packet.filters(version).map(\.filter)
        try send(.suback(version, packet.identifier, codes: codes ?? filters.map { _ in 1 }))
        return filters
    }

    // MARK: Writing and ending

    /// Writes a packet.
    package func send(_ packet: FakeBrokerPacket) throws(TestSupportError) {
        try send(bytes: packet.bytes)
    }

    /// Writes bytes that need not be a packet.
    package func send(bytes: [UInt8]) throws(TestSupportError) {
        let sent = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard sent == bytes.count else { throw TestSupportError("the client is gone") }
    }

    /// Says that nothing more will be sent; the client can still be read.
    package func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Ends the connection in both directions.
    package func cut() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends the connection, without reading, as soon as the client has closed its side.
    package func cutWhenClientCloses() {
        detachThread { [self] in
            // POLLRDHUP, which Glibc does not offer to Swift.
            var request = pollfd(fd: descriptor, events: 0x2000, revents: 0)
            while poll(&request, 1, -1) < 0, errno == EINTR {}
            cut()
        }
    }

    /// Ends the connection with RST instead of FIN.
    package func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger,
            socklen_t(MemoryLayout<Glibc.linger>.size))
        var unspecified = sockaddr(
            sa_family: sa_family_t(AF_UNSPEC),
            sa_data: (
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
            ))
        connect(descriptor, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }

    deinit {
        close(descriptor)
    }
}
