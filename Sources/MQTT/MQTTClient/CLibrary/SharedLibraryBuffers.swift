private import CMosquittoShims

/// Buffers that the handles of an event loop share. Calls into the library are never nested, so each call has
/// exclusive use of them; an owner's handler runs only when the inbox is empty.
final class SharedLibraryBuffers {
    /// The events of callbacks.
    let inbox = MosquittoInbox()
    /// What was read from the socket in this turn.
    let intake = SocketIntake()
    /// What is written to the socket in this turn.
    let outlet = SocketOutlet()
    /// Whether the program links the replacement of `read` and `write` that uses the buffers.
    var isBatching = cmosquitto_batches()
}
