private import Glibc

/// One direction of a relay: reads from a socket, and writes to another what has arrived by then.
struct LinkPath {
    /// How far it has come.
    private enum Stage {
        case reading
        /// The source has ended; its last bytes are on their way.
        case ending
        /// The sink has everything, and its end.
        case done
    }

    /// The most to read at once, bytes.
    private static let portion = 16_384

    private let source: Int32
    private let sink: Int32
    private var shaper: LinkShaper
    /// What has arrived and the sink has not taken yet.
    private var arrived: [UInt8] = []
    private var stage = Stage.reading
    /// Whether anything of it has reached the sink.
    private(set) var hasDelivered = false

    init(from source: Int32, to sink: Int32, _ shaper: LinkShaper) {
        self.source = source
        self.sink = sink
        self.shaper = shaper
    }

    /// Whether the sink has everything, and its end.
    var isDone: Bool { if case .done = stage { true } else { false } }

    /// Whether the source is to be watched for bytes.
    var wantsToRead: Bool { if case .reading = stage { shaper.room > 0 } else { false } }

    /// Whether the sink is to be watched for room.
    var wantsToWrite: Bool { !arrived.isEmpty }

    /// When something arrives next, in ns; nil if that is not known.
    var next: UInt64? { shaper.next }

    /// The link has other conditions.
    mutating func change(to conditions: LinkConditions, at now: UInt64) {
        shaper.change(to: conditions, at: now)
    }

    /// Reads what there is, and writes what has arrived.
    mutating func work(at now: UInt64) {
        read(at: now)
        arrived += shaper.release(at: now)
        write()
        guard case .ending = stage, shaper.hasEnded, arrived.isEmpty else { return }
        shutdown(sink, Int32(SHUT_WR))
        stage = .done
    }

    private mutating func read(at now: UInt64) {
        while wantsToRead {
            switch Self.receive(from: source, atMost: min(Self.portion, shaper.room)) {
            case .bytes(let bytes): shaper.add(bytes, at: now)
            case .nothing: return
            case .end:
                shaper.end(at: now)
                stage = .ending
            }
        }
    }

    private mutating func write() {
        while !arrived.isEmpty {
            let sent = arrived.withUnsafeBytes {
                send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent > 0 {
                hasDelivered = true
                arrived.removeFirst(sent)
            } else if errno != EINTR {
                // A sink that is gone takes nothing; that it is, its own direction finds out.
                if errno != EAGAIN { arrived = [] }
                return
            }
        }
    }
}

extension LinkPath {
    /// What a socket gives.
    enum Reception {
        case bytes([UInt8])
        /// Nothing for now.
        case nothing
        /// Nothing any more.
        case end
    }

    /// Reads from a socket without waiting.
    static func receive(from socket: Int32, atMost count: Int) -> Reception {
        var error: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            var received = -1
            repeat {
                received = recv(socket, buffer.baseAddress, count, Int32(MSG_DONTWAIT))
                error = received < 0 ? errno : 0
            } while error == EINTR
            size = max(0, received)
        }
        if !bytes.isEmpty { return .bytes(bytes) }
        return error == EAGAIN ? .nothing : .end
    }
}
