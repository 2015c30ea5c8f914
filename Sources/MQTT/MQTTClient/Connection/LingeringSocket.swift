private import Glibc

/// A duplicate of the library's socket, which stays open after DISCONNECT until the broker has closed its side.
///
/// Closing a socket with unread bytes resets the connection, and the broker would lose what it has not read yet.
struct LingeringSocket: Equatable {
    /// How long the broker may take to close its side after DISCONNECT, nanoseconds.
    static var patience: UInt64 { 1_000_000_000 }

    /// The descriptor; negative if there was none to spare.
    let descriptor: Int32

    /// Duplicates an open socket.
    init(duplicating socket: Int32) {
        descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    }

    /// Nothing more will be written.
    func halfClose() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads and forgets what the broker still sends. Returns whether it has closed its side.
    func isClosedByPeer() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
        }
    }

    /// Closes the descriptor.
    func close() {
        Glibc.close(descriptor)
    }
}

extension MosquittoHandle {
    /// Writes DISCONNECT behind everything else, as far as the socket takes it. The library closes its socket then.
    /// - Returns: whether it is written.
    func sendDisconnect(_ properties: MQTTDisconnectProperties, hasSession: Bool) -> Bool {
        if hasUnsent { _ = sendUnsent() }
        _ = disconnect(properties, hasSession: hasSession)
        if !hasUnsent { _ = writeQueued() }
        return socket == nil
    }
}
