internal import CMosquittoShims
private import Glibc

/// Buffers the library's writes to a socket.
///
/// The library calls `write` for every packet. With this buffer they are sent together.
final class SocketOutlet {
    /// The size of the buffer, bytes.
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

    /// Runs a call of the library that writes to the socket; ``send()`` ends the turn.
    func collect<Value>(for socket: Int32, _ call: () -> Value) -> Value {
        fill(for: socket, [])
        cmosquitto_outlet_use(outlet)
        defer { cmosquitto_outlet_use(nil) }
        return call()
    }

    /// Sends data that an earlier turn could not send.
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

    /// Returns the data that the socket did not accept, and the `errno` of a broken one. That the peer is gone
    /// is not an error here: the next read reports it, after the peer's last data.
    func send() -> (unsent: [UInt8], error: Int32?) {
        cmosquitto_lost_peers_block(true)
        defer { cmosquitto_lost_peers_block(false) }
        let error = cmosquitto_outlet_flush(outlet)
        guard error != 0 else { return ([], nil) }
        let unsent = UnsafeBufferPointer(start: bytes, count: outlet.pointee.end)
        return (Array(unsent[outlet.pointee.begin...]), error == EAGAIN ? nil : error)
    }
}
