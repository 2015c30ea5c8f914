internal import Basics
private import DequeModule

/// One direction of a link: bytes go in, and come out in the same order when the conditions let them arrive.
///
/// A value without a clock: times are nanoseconds of the owner's clock, and never go back. The same seed,
/// conditions, bytes and times give the same arrivals.
struct LinkShaper {
    /// The most bytes of a segment: an Ethernet packet of 1,500 without the headers of IP and TCP (RFC 9293,
    /// section 3.7.1, with the time stamp option).
    static let segmentSize = 1_448
    /// How many bytes may be on their way, as many as Linux lets a sender have by default with both sides'
    /// buffers (`tcp_wmem` and `tcp_rmem` begin with 16 and 128 KiB and grow).
    static let capacity = 262_144
    /// How long a sender waits at least before it sends a segment again, in ns (`TCP_RTO_MIN` of Linux); twice as
    /// long each further time (RFC 6298, section 5.5).
    static let retransmissionWait: UInt64 = 200_000_000
    /// How long it waits at most, in ns (`TCP_RTO_MAX` of Linux).
    static let longestRetransmissionWait: UInt64 = 120_000_000_000
    /// How often it sends a segment again at most (`tcp_retries2` of Linux).
    static let mostRetransmissions = 15

    /// Bytes that travel together; without any, the end of the stream.
    private struct Segment {
        let bytes: [UInt8]
        var due: UInt64
    }

    /// How far the stream has come.
    private enum Stage {
        case open
        /// Its end is on its way.
        case ending
        /// Its end has arrived.
        case ended
    }

    private(set) var conditions: LinkConditions
    private var segments: Deque<Segment> = []
    private var stage = Stage.open
    private var generator: SeededGenerator
    /// When the last segment is sent completely.
    private var lineIsFree: UInt64 = 0
    /// When the last segment arrives.
    private var lastDue: UInt64 = 0
    /// How many bytes are on their way.
    private(set) var count = 0

    init(_ conditions: LinkConditions, seed: UInt64) {
        self.conditions = conditions
        generator = SeededGenerator(seed: seed)
    }

    /// How many more bytes may go in.
    var room: Int { max(0, Self.capacity - count) }

    /// Whether the end of the stream has arrived.
    var hasEnded: Bool {
        switch stage {
        case .open, .ending: false
        case .ended: true
        }
    }

    /// When ``release(at:)`` has something next; nil if that is not known.
    var next: UInt64? {
        switch conditions.passage {
        case .held: nil
        case .open, .severed: segments.first?.due
        }
    }

    /// Bytes go in. None may follow the end.
    mutating func add(_ bytes: some Collection<UInt8>, at now: UInt64) {
        assert(!hasEnded, "nothing follows the end")
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            send(Array(rest.prefix(Self.segmentSize)), at: now)
            rest = rest.dropFirst(Self.segmentSize)
        }
    }

    /// The end of the stream goes in, behind everything else.
    mutating func end(at now: UInt64) {
        guard case .open = stage else { return }
        stage = .ending
        send([], at: now)
    }

    /// Takes the bytes that have arrived.
    mutating func release(at now: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        while let next, next <= now, let segment = segments.popFirst() {
            if segment.bytes.isEmpty { stage = .ended }
            bytes += segment.bytes
        }
        count -= bytes.count
        return bytes
    }

    /// From now on the link has other conditions. What is on its way sets out again under them.
    mutating func change(to conditions: LinkConditions, at now: UInt64) {
        self.conditions = conditions
        let travelling = segments
        (segments, count, lineIsFree, lastDue) = ([], 0, 0, 0)
        for segment in travelling { send(segment.bytes, at: now) }
    }

    private mutating func send(_ bytes: [UInt8], at now: UInt64) {
        lineIsFree = max(now, lineIsFree) &+ transmission(of: bytes.count)
        let arrival = lineIsFree &+ conditions.delay.wholeNanoseconds &+ jitter() &+ stall()
        lastDue = max(lastDue, arrival)
        count += bytes.count
        segments.append(Segment(bytes: bytes, due: lastDue))
    }

    /// How long the link takes to carry so many bytes, in ns.
    private func transmission(of count: Int) -> UInt64 {
        guard let rate = conditions.bytesPerSecond else { return 0 }
        return UInt64(min(Double(count) / max(rate, 1) * 1e9, 1e18))
    }

    private mutating func jitter() -> UInt64 {
        let most = conditions.jitter.wholeNanoseconds
        guard most > 0 else { return 0 }
        return UInt64(Double(most) * generator.nextFraction())
    }

    /// How long a segment waits because it, and its repetitions, were lost.
    private mutating func stall() -> UInt64 {
        guard conditions.loss > 0 else { return 0 }
        let roundTrip = 2 * (conditions.delay + conditions.jitter).wholeNanoseconds
        var wait = min(Self.retransmissionWait + roundTrip, Self.longestRetransmissionWait)
        var stall: UInt64 = 0
        for _ in 0..<Self.mostRetransmissions {
            guard generator.nextFraction() < conditions.loss else { break }
            stall += wait
            wait = min(2 * wait, Self.longestRetransmissionWait)
        }
        return stall
    }
}
