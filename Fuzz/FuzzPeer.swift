import Glibc

/// The client that a ``FuzzBroker`` has taken.
struct FuzzPeer {
    /// A packet of the client.
    struct Packet {
        let header: UInt8
        let body: [UInt8]
        /// All of it, on the wire.
        let size: Int
    }

    private let descriptor: Int32

    /// Waits for the next client.
    init(acceptedBy listener: Int32) {
        descriptor = accept(listener, nil, nil)
        // Nobody may wait for ever: what hangs is a finding too.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The next packet; nil when the client has hung up.
    func read() -> Packet? {
        guard let header = read(1) else { return nil }
        var length = 0
        var shift = 0
        repeat {
            guard let byte = read(1), shift < 28 else { return nil }
            length |= Int(byte[0] & 0x7F) << shift
            shift += 7
            if byte[0] & 0x80 == 0 { break }
        } while true
        guard let body = read(length) else { return nil }
        return Packet(header: header[0], body: body, size: 1 + shift / 7 + length)
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let more = bytes.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress.map { $0 + got }, count - got, 0)
            }
            precondition(more >= 0 || errno != EAGAIN, "the client has stopped in the middle")
            guard more > 0 else { return nil }
            got += more
        }
        return bytes
    }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The client may have hung up in the middle, which is its right.
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Says that nothing more will come.
    func finishWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// RST: a port in TIME_WAIT for every input would use them all up.
    func reset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger,
            socklen_t(MemoryLayout<Glibc.linger>.size))
        close(descriptor)
    }
}
