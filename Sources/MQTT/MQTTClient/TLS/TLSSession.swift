internal import COpenSSL

/// The TLS state of one handle that the library does not expose.
final class TLSSession {
    let context: TLSContext
    private var pointer: OpaquePointer?
    /// Whether the handshake is complete.
    private(set) var isEstablished = false
    /// Whether a ping is partly written; its rest must be written before anything else.
    private(set) var isPingUnfinished = false

    init(_ context: TLSContext) {
        self.context = context
    }

    /// Takes over the session that the library created for the present socket. With a fast peer the handshake
    /// may be complete by then, for which no event comes.
    func begin(_ session: UnsafeMutableRawPointer?) {
        pointer = session.map { OpaquePointer($0) }
        advance()
    }

    /// The library has closed the socket and freed its session.
    func end() {
        pointer = nil
    }

    /// Clears OpenSSL's error queue: other connections of this thread leave errors in it that would be
    /// attributed to the next call.
    func clearErrors() {
        ERR_clear_error()
    }

    /// Checks whether a call has completed the handshake.
    func advance() {
        guard !isEstablished, let pointer else { return }
        isEstablished = SSL_is_init_finished(pointer) == 1
    }

    /// Whether OpenSSL holds decrypted bytes, for which no socket event comes.
    var hasBufferedInput: Bool {
        guard let pointer else { return false }
        return SSL_pending(pointer) > 0
    }

    /// Whether the last operation stopped because the socket was full.
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

    /// Continues writing a ping; returns true when other packets may follow.
    func finishPing() -> Bool {
        if isPingUnfinished { ping() }
        return !isPingUnfinished
    }
}
