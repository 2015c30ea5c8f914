internal import Basics
private import Glibc

/// A small WebSocket server on the loopback interface (RFC 6455): whole text messages, from its clients and to them.
/// Each client has a thread of its own.
package final class WebSocketServer: Sendable {
    /// The port that it listens on.
    package let port: UInt16
    private let listener: LoopbackListener
    private let peers = Guarded<[WebSocketPeer]?>([])

    /// Starts to listen.
    /// - Parameters:
    ///   - port: 0 for one that the system chooses.
    ///   - connected: a client has connected.
    ///   - received: a client has sent a text.
    package init(
        on port: UInt16 = 0, connected: @escaping @Sendable (WebSocketPeer) -> Void,
        received: @escaping @Sendable (WebSocketPeer, String) -> Void
    ) throws(TestSupportError) {
        listener = try LoopbackListener(on: port)
        self.port = listener.port
        let descriptor = listener.descriptor
        detachThread { [weak self] in
            while true {
                let socket = accept(descriptor, nil, nil)
                guard socket >= 0 else { return }
                let peer = WebSocketPeer(socket)
                guard let self, self.adopt(peer) else { return peer.hangUp() }
                detachThread {
                    guard peer.shakeHands() else { return peer.hangUp() }
                    connected(peer)
                    while let text = peer.nextText() { received(peer, text) }
                    peer.hangUp()
                }
            }
        }
    }

    deinit { stop() }

    /// Stops to listen, and ends every connection.
    package func stop() {
        let open = peers.withLock { peers in
            defer { peers = nil }
            return peers
        }
        guard let open else { return }
        // A thread in accept() is woken by this, not by closing.
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
        listener.close()
        for peer in open { peer.hangUp() }
    }

    private func adopt(_ peer: WebSocketPeer) -> Bool {
        peers.withLock { peers in
            peers?.append(peer)
            return peers != nil
        }
    }
}

/// A client of a ``WebSocketServer``.
package final class WebSocketPeer: Sendable {
    private let socket: Int32
    private let isOpen = Guarded(true)

    init(_ socket: Int32) { self.socket = socket }

    deinit { close(socket) }

    /// Sends a text in one frame.
    package func send(_ text: String) { sendFrame(0x81, Array(text.utf8)) }

    /// Sends a text in frames of at most so many bytes.
    package func send(_ text: String, inPartsOf size: Int) {
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let end = min(start + size, bytes.count)
            let opcode: UInt8 = start == 0 ? 1 : 0
            sendFrame(opcode | (end == bytes.count ? 0x80 : 0), Array(bytes[start..<end]))
        }
    }

    /// Sends bytes that need not be a frame.
    package func sendRaw(_ bytes: [UInt8]) {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Ends the connection without a word.
    package func hangUp() {
        isOpen.withLock { isOpen in
            if isOpen { shutdown(socket, Int32(SHUT_RDWR)) }
            isOpen = false
        }
    }

    private func sendFrame(_ head: UInt8, _ payload: [UInt8]) {
        let length = payload.count
        var frame = [head]
        if length < 126 {
            frame.append(UInt8(length))
        } else if length < 65_536 {
            frame += [126, UInt8(length >> 8), UInt8(length & 0xFF)]
        } else {
            frame.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                frame.append(UInt8(length >> shift & 0xFF))
            }
        }
        sendRaw(frame + payload)
    }

    // MARK: Reading

    func shakeHands() -> Bool {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
            guard let byte = read(1), head.count < 8192 else { return false }
            head += byte
        }
        let name = "sec-websocket-key:"
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let line = lines.first(where: { $0.lowercased().hasPrefix(name) }) else {
            return false
        }
        let key = line.dropFirst(name.count).filter { $0 != " " }
        let digest = SHA1.digest(of: Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
        sendRaw(
            Array(
                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(SHA1.base64(digest))\r\n\r\n").utf8))
        return true
    }

    /// The next text message; pings are answered. `nil` at the end of the connection.
    func nextText() -> String? {
        var text: [UInt8] = []
        while let head = read(2) {
            var length = Int(head[1] & 0x7F)
            if length > 125 {
                guard let more = read(length == 126 ? 2 : 8) else { return nil }
                length = more.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let mask = read(4), let masked = read(length) else { return nil }
            let payload = masked.enumerated().map { $1 ^ mask[$0 % 4] }
            switch head[0] & 0xF {
            case 8: return nil
            case 9: sendFrame(0x8A, payload)
            case 10: break
            default:
                text += payload
                if head[0] & 0x80 != 0 { return String(decoding: text, as: UTF8.self) }
            }
        }
        return nil
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }
}

/// The digest that the handshake of a WebSocket needs (FIPS 180-4).
private enum SHA1 {
    static func digest(of message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) * 8
        padded += stride(from: 56, through: 0, by: -8).map { UInt8(bits >> UInt64($0) & 0xFF) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: padded.count, by: 64) {
            add(Array(padded[start..<start + 64]), to: &state)
        }
        return state.flatMap { word in [24, 16, 8, 0].map { UInt8(word >> UInt32($0) & 0xFF) } }
    }

    private static func add(_ block: [UInt8], to state: inout [UInt32]) {
        var words = (0..<16).map { place in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[4 * place + $1]) }
        }
        for place in 16..<80 {
            let mixed = words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]
            words.append(rotated(mixed, 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (round, word) in words.enumerated() {
            let (mix, constant): (UInt32, UInt32) =
                switch round {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, 5) &+ mix &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
        }
        for (place, word) in [a, b, c, d, e].enumerated() { state[place] &+= word }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let characters = [Character](alphabet)
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? characters[bits >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}
