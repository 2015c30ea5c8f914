internal import DeviceDomain
internal import Dispatch

/// What other processes notify of.
extension PostgresConnection {
    /// Does something on the queue whenever bytes arrive, until ``stopHearing()``. It is for a connection that is open
    /// and runs no other statements.
    /// - Parameter end: is called on the queue when the connection was ended after that.
    /// - Throws: `unreachable`.
    func hear(
        _ body: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) throws(PostgresFailure) {
        guard let socket else {
            throw PostgresFailure(reason: .unreachable, message: "the connection was lost")
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
        source.setEventHandler(handler: body)
        // The socket must last for as long as the source does.
        source.setCancelHandler { [self] in
            arrivals = nil
            close()
            end()
        }
        arrivals = source
        source.activate()
    }

    /// Hears nothing more, and ends the connection soon.
    func stopHearing() { arrivals?.cancel() }

    /// Does something with the connection after a pause.
    func enqueue(after pause: Duration, _ body: @escaping @Sendable (PostgresConnection) -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(pause.wholeMilliseconds)) { body(self) }
    }
}
