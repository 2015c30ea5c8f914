internal import CMosquittoShims

/// Stands between the library and the socket that it reads.
///
/// The library asks the system three times for a packet, and goes on for as long as the peer sends. Here
/// one `read` serves many packets, and each turn has an end.
final class SocketIntake {
    /// How much is read ahead, bytes.
    private static let capacity = 16_384
    /// How much one connection may read in a turn, bytes.
    private static let allowance = 262_144

    private let intake = UnsafeMutablePointer<cmosquitto_intake>.allocate(capacity: 1)
    private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

    init() {
        intake.initialize(to: cmosquitto_intake())
        intake.pointee.bytes = bytes
    }

    deinit {
        intake.deallocate()
        bytes.deallocate()
    }

    /// Whether the socket has nothing more to give in this turn, and nothing of it is left here.
    var isDrained: Bool { isEmpty && intake.pointee.allowance == 0 }

    /// Whether nothing is left of what was read ahead.
    var isEmpty: Bool { intake.pointee.begin == intake.pointee.end }

    /// A turn begins, with what was left over from an earlier one of the same socket. `isAhead` says whether
    /// more may be read than the library asks for.
    func begin(_ socket: Int32, isAhead: Bool, leftover: [UInt8]) {
        assert(isEmpty, "a turn begins inside another one")
        intake.pointee.socket = socket
        intake.pointee.capacity = isAhead ? Self.capacity : 0
        intake.pointee.allowance = Self.allowance
        intake.pointee.begin = 0
        intake.pointee.end = leftover.count
        bytes.update(from: leftover, count: leftover.count)
    }

    /// The system is asked for no more in this turn.
    func stopAsking() {
        intake.pointee.allowance = 0
    }

    /// Ends the turn; returns what was read and not wanted.
    func end() -> [UInt8] {
        defer { intake.pointee.end = intake.pointee.begin }
        guard !isEmpty else { return [] }
        let taken = UnsafeBufferPointer(start: bytes, count: intake.pointee.end)
        return Array(taken[intake.pointee.begin...])
    }

    /// Runs a call of the library, which reads from the socket.
    func feed<Value>(_ call: () -> Value) -> Value {
        cmosquitto_intake_use(intake)
        defer { cmosquitto_intake_use(nil) }
        return call()
    }
}
