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

    /// A turn begins, with what an earlier one could not send.
    func begin(_ socket: Int32, unsent: [UInt8]) {
        outlet.pointee.socket = socket
        outlet.pointee.begin = 0
        outlet.pointee.end = unsent.count
        bytes.update(from: unsent, count: unsent.count)
    }

    /// Runs a call of the library, which writes to the socket.
    func collect<Value>(_ call: () -> Value) -> Value {
        cmosquitto_outlet_use(outlet)
        defer { cmosquitto_outlet_use(nil) }
        return call()
    }

    /// Ends the turn. Returns what the socket did not take, and the `errno` of a socket that is broken.
    func send() -> (unsent: [UInt8], error: Int32?) {
        let error = cmosquitto_outlet_flush(outlet)
        guard error != 0 else { return ([], nil) }
        let unsent = UnsafeBufferPointer(start: bytes, count: outlet.pointee.end)
        return (Array(unsent[outlet.pointee.begin...]), error == EAGAIN ? nil : error)
    }
}
