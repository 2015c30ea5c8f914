internal import CMosquittoShims
private import Glibc

/// Stands between the library and the socket that it writes to.
///
/// The library calls `write` for every packet. Here they gather and go out together.
final class SocketOutlet {
    /// How much is gathered, bytes.
    private static let capacity = 16_384

    private let outlet = UnsafeMutablePointer<cmosquitto_outlet>.allocate(capacity: 1)
    private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)

    init() {
        outlet.initialize(
            to: cmosquitto_outlet(
                socket: -1, bytes: bytes, capacity: Self.capacity, begin: 0, end: 0))
    }

    deinit {
        outlet.deallocate()
        bytes.deallocate()
    }

    /// Runs a call of the library, which writes to the socket; ``send()`` ends the turn.
    func collect<Value>(for socket: Int32, _ call: () -> Value) -> Value {
        fill(for: socket, [])
        cmosquitto_outlet_use(outlet)
        defer { cmosquitto_outlet_use(nil) }
        return call()
    }

    /// Sends what an earlier turn could not.
    func send(_ unsent: [UInt8], to socket: Int32) -> (unsent: [UInt8], error: Int32?) {
        fill(for: socket, unsent)
        return send()
    }

    private func fill(for socket: Int32, _ unsent: [UInt8]) {
        outlet.pointee.socket = socket
        outlet.pointee.begin = 0
        outlet.pointee.end = unsent.count
        bytes.update(from: unsent, count: unsent.count)
    }

    /// Returns what the socket did not take, and the `errno` of one that is broken. A peer that has gone takes
    /// nothing: that is for the next read to tell, behind what the peer said last.
    func send() -> (unsent: [UInt8], error: Int32?) {
        cmosquitto_lost_peers_block(true)
        defer { cmosquitto_lost_peers_block(false) }
        let error = cmosquitto_outlet_flush(outlet)
        guard error != 0 else { return ([], nil) }
        let unsent = UnsafeBufferPointer(start: bytes, count: outlet.pointee.end)
        return (Array(unsent[outlet.pointee.begin...]), error == EAGAIN ? nil : error)
    }
}
