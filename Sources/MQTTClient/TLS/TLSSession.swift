internal import COpenSSL

/// The TLS side of one handle: what the library's own bookkeeping does not tell.
final class TLSSession {
    let context: TLSContext
    private var pointer: OpaquePointer?
    /// Whether the keys are agreed on, so that MQTT may flow.
    private(set) var isEstablished = false
    /// A ping is half written; nothing else may go before its rest.
    private(set) var isPingUnfinished = false

    init(_ context: TLSContext) {
        self.context = context
    }

    /// Begins with what the library made for the present socket. A peer that answers at once has ended
    /// the handshake by then: no event would tell of that.
    func begin(_ session: UnsafeMutableRawPointer?) {
        pointer = session.map { OpaquePointer($0) }
        advance()
    }

    /// The library has closed the socket, and what it had made for it.
    func end() {
        pointer = nil
    }

    /// Other connections of this thread, and OpenSSL's own goodbyes, leave errors behind that the next
    /// call would be blamed for.
    func clearErrors() {
        ERR_clear_error()
    }

    /// Looks whether a call has ended the handshake.
    func advance() {
        guard !isEstablished, let pointer else { return }
        isEstablished = SSL_is_init_finished(pointer) == 1
    }

    /// Whether OpenSSL holds decrypted bytes, of which the socket knows nothing.
    var hasBufferedInput: Bool {
        guard let pointer else { return false }
        return SSL_pending(pointer) > 0
    }

    /// Whether the last operation stopped because the socket took no more.
    var isBlockedOnWriting: Bool {
        guard let pointer else { return false }
        return copenssl_wants_to_write(pointer)
    }

    /// Sends PINGREQ. Only while no packet is half written.
    func ping() {
        guard isEstablished, let pointer else { return }
        ERR_clear_error()
        isPingUnfinished = !copenssl_write_ping(pointer)
    }

    /// Goes on with a ping; true when other packets may follow.
    func finishPing() -> Bool {
        if isPingUnfinished { ping() }
        return !isPingUnfinished
    }
}
