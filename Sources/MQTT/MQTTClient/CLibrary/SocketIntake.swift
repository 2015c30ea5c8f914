internal import CMosquittoShims

/// Buffers the library's reads from a socket.
///
/// The library makes three system calls per packet, and reads for as long as the peer sends. With this buffer
/// one `read` serves many packets, and each turn is bounded.
final class SocketIntake {
    /// The most to read ahead, bytes.
    private static let capacity = 16_384
    /// The most that one connection may read in a turn, bytes.
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

    /// Whether the socket gives no more data in this turn, and the buffer is empty.
    var isDrained: Bool { isEmpty && intake.pointee.allowance == 0 }

    /// Whether the buffer is empty.
    var isEmpty: Bool { intake.pointee.begin == intake.pointee.end }

    /// Starts a turn, with the data left over from an earlier one of the same socket. `isAhead` says whether
    /// more may be read than the library asks for.
    func begin(_ socket: Int32, isAhead: Bool, leftover: [UInt8]) {
        assert(isEmpty, "a turn starts inside another one")
        intake.pointee.socket = socket
        intake.pointee.capacity = isAhead ? Self.capacity : 0
        intake.pointee.allowance = Self.allowance
        intake.pointee.begin = 0
        intake.pointee.end = leftover.count
        bytes.update(from: leftover, count: leftover.count)
    }

    /// Reads no more from the socket in this turn.
    func stopAsking() {
        intake.pointee.allowance = 0
    }

    /// Ends the turn; returns the data that was read and not consumed.
    func end() -> [UInt8] {
        defer { intake.pointee.end = intake.pointee.begin }
        guard !isEmpty else { return [] }
        let taken = UnsafeBufferPointer(start: bytes, count: intake.pointee.end)
        return Array(taken[intake.pointee.begin...])
    }

    /// Runs a call of the library that reads from the socket.
    func feed<Value>(_ call: () -> Value) -> Value {
        cmosquitto_intake_use(intake)
        defer { cmosquitto_intake_use(nil) }
        return call()
    }
}
